"""A plain, slow referee of Forbidden Island, written from the numbered rules page (FI-1 to FI-11) alone.

It shares no code with `sim`: what both agree on was decided twice.
"""

from .referee import Breach, Referee, check, replay

__all__ = ["Breach", "Referee", "check", "replay"]

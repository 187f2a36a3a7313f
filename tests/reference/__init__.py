"""A plain, slow referee of Forbidden Island, written from the rules page alone (docs: the numbered rules, FI-1 to FI-11).

It shares no code with `sim`: what both agree on was decided twice.
"""

from .referee import Breach, Referee, check, replay

__all__ = ["Breach", "Referee", "check", "replay"]

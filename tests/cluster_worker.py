"""What a Dask worker of the tests loads when it starts: the made-up game, with so much time for a chunk that one can be
killed in the middle of it."""

from __future__ import annotations

import os


def dask_setup(worker) -> None:
    from tests.madeup import MadeUp, install

    install(MadeUp(pause=float(os.environ.get("MADEUP_PAUSE", "0.02"))))

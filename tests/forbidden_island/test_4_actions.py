"""Section 4: actions."""

from __future__ import annotations

import pytest

from .table import STOP, Table


def test_move_by_edge():
    """FI-4.1: to a tile sharing an edge, dry or flooded; never diagonally, onto a gap or across one."""
    table = Table(
        """
        .  .  #  #  .  .
        .  #  #* #  #  .
        #  x  #0 ~* #  #
        #  #  #* #  #  #
        .  #  #  #  #  .
        .  .  #  #  .  .
        """
    )
    assert table.moves() == table.stars


def test_move_takes_one_action():
    """FI-4.1, FI-3.1: three moves are three actions."""
    table = Table(roles="engineer messenger", cards_per_turn=0, meter=[0])
    table.take_actions(table.move_to("Iron Gate"), table.move_to("Gold Gate"), table.move_to("Copper Gate"))
    assert table.at(0) == "Copper Gate"
    assert table.asked == [("act", 0)] * 3

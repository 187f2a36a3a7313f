"""A game step by step for a viewer that knows no game: what a `Game` makes of the events of a trace."""

from __future__ import annotations

from dataclasses import dataclass

from sim.core.game import Layout

LOOKS = ("land", "wet", "gone")
"""How a viewer draws a state of a place: whole, under water, no longer there."""


@dataclass(frozen=True)
class State:
    """A state that a place can be in: its name for people and its look (one of LOOKS)."""

    name: str
    look: str


@dataclass(frozen=True)
class Piece:
    """Something that stands on a place: one or two letters, a name, and the seat it belongs to (None: nobody)."""

    mark: str
    name: str
    seat: int | None


@dataclass(frozen=True)
class Scene:
    """The table after one event.

    text: what happened, in one or more sentences.  turn: its number, 0 before the first.  begins: whether a turn begins
    here.  seat: whose turn it is.  states: state of each place, as an index into `Show.states`.  at: place of each
    piece, −1 where it is off the board.  hands: what each seat holds, in words.  facts: (title, value) pairs of what
    else the table shows.
    """

    text: str
    turn: int
    begins: bool
    seat: int | None
    states: tuple[int, ...]
    at: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Show:
    """One game: its board (`layout.names` are the places' names), who plays, and the scenes.

    notes: a word on each place that matters for play, or "".
    """

    title: str
    layout: Layout
    notes: tuple[str, ...]
    states: tuple[State, ...]
    pieces: tuple[Piece, ...]
    seats: tuple[str, ...]
    scenes: tuple[Scene, ...]

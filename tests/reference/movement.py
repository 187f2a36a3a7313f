"""Where pawns may go and what they may shore up: FI-4.1, FI-4.2, section 5 and FI-8.3, each as a set of tile names."""

from __future__ import annotations

from .state import DRY, FLOODED, State


def touched(state: State, power: str, tile: str) -> set[str]:
    """The cells one step away, sunk ones included: by edge, for the Explorer by corner too (FI-5.1)."""
    return state.edges[tile] | state.corners[tile] if power == "explorer" else set(state.edges[tile])


def steps(state: State, power: str, tile: str) -> set[str]:
    """The tiles one step away (FI-4.1, FI-5.1)."""
    return {other for other in touched(state, power, tile) if state.standing(other)}


def dives(state: State, tile: str) -> set[str]:
    """The Diver's moves (FI-5.6): through flooded tiles and gaps, ending on a tile; a dry tile ends the move."""
    ends: set[str] = set()
    seen, todo = {tile}, [tile]
    while todo:
        for other in state.edges[todo.pop()] - seen:
            seen.add(other)
            if state.standing(other):
                ends.add(other)
            if state.tiles[other] != DRY:
                todo.append(other)
    return ends


def moves(state: State, seat: int) -> set[str]:
    """Where a move action may end (FI-4.1, FI-5.1, FI-5.6)."""
    tile, power = state.pawns[seat], state.power(seat)
    return dives(state, tile) if power == "diver" else steps(state, power, tile)


def flights(state: State, seat: int) -> set[str]:
    """Where the Pilot may fly (FI-5.4): any other tile still on the island."""
    return {tile for tile in state.tiles if state.standing(tile)} - {state.pawns[seat]}


def navigations(state: State, pawn: int) -> set[str]:
    """Where the Navigator may move this other pawn (FI-5.5): one or two steps, ending elsewhere."""
    start, power = state.pawns[pawn], state.power(pawn)
    once = steps(state, power, start)
    ends = set(once)
    for middle in once:
        ends |= steps(state, power, middle)
    if power == "diver" and state.rules["navigator_moves_diver"] == "one_gap":
        for gap in state.edges[start]:
            if not state.standing(gap):
                ends |= steps(state, power, gap)
    return ends - {start}


def shores(state: State, seat: int) -> set[str]:
    """The flooded tiles that the seat may shore up (FI-4.2, FI-5.1)."""
    tile = state.pawns[seat]
    near = {tile} | touched(state, state.power(seat), tile)
    return {other for other in near if state.tiles[other] == FLOODED}


def swims(state: State, seat: int) -> set[str]:
    """Where a pawn may swim from the tile that has just sunk (FI-8.3, FI-5.1, FI-5.4, FI-5.6)."""
    tile, power = state.pawns[seat], state.power(seat)
    if power == "pilot":
        return flights(state, seat)
    if power != "diver":
        return steps(state, power, tile)
    seen, ring = {tile}, {tile}
    while ring:
        ring = set().union(*(state.edges[cell] for cell in ring)) - seen
        seen |= ring
        nearest = {cell for cell in ring if state.standing(cell)}
        if nearest:
            return nearest
    return set()

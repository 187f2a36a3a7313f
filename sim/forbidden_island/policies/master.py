"""A team of masters: it plays the expert's best ideas for this turn out in its head before it chooses one.

It imitates the best players there are.  Of each turn it takes the `plans` ends that the expert's value likes best,
found by a more careful search, draws the treasure and flood cards that may come (a fair sample: of the order of the
cards it knows what everybody knows), lets a quicker expert play on for `depth` turns, and values where that leads.  All
plans meet the same cards; after each round of playouts the worse half is dropped.  What may sink at once is not left to
luck: where the cards of a turn can end the game, their chance is worked out, and the playout goes on with cards that do
not.  `playouts` is about how many it makes for one turn of four players.  Between the turns it thinks in the same way:
which card to discard, whether to throw Sandbags now, where to swim.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sim.core import rng
from sim.core.compile import COMPILED, inlaid, jit
from sim.core.game import Parameter
from sim.core.policy import Mind, because, policy
from sim.core.rng import Stream
from sim.forbidden_island import chance, choices, engine
from sim.forbidden_island.constants import (
    ACT,
    ACTIONS,
    DISCARD_DOWN,
    DRAWING,
    LANDING_SUNK,
    SWIM_NOW,
    TREASURE_SUNK,
    WON,
)
from sim.forbidden_island.log import LOG, Log
from sim.forbidden_island.policies import weights
from sim.forbidden_island.policies.answers import weigh
from sim.forbidden_island.policies.beam import WON as CERTAIN
from sim.forbidden_island.policies.beam import Search, best_ends, new_search, search_turn, write_plan
from sim.forbidden_island.policies.danger import foreseen, survival
from sim.forbidden_island.policies.expert import (
    ANSWER,
    CAREFUL,
    LONGEST_PLAN,
    MEMORY,
    REASONS,
    SOURCES,
    expertly,
    forget_plan,
    note_plan,
    open_question,
    percent,
    planned,
    take_care,
)
from sim.forbidden_island.policies.features import Work, new_work, prepare
from sim.forbidden_island.policies.network import chance_of, network_at, set_base
from sim.forbidden_island.policies.position import STATE, carry_out, new_row, new_view, pack, unpack
from sim.forbidden_island.state import HIDDEN, Hidden, Row, Rules, View

PARAMETERS = (
    Parameter(
        "playouts", 36, 0, 1000, "playouts for one turn of 4 players, about; fewer players make more; with 0 the expert"
    ),
    Parameter("plans", 16, 2, 32, "plans that are compared"),
    Parameter("depth", 2, 1, 4, "turns that a playout goes on for"),
    Parameter("inner", 8, 1, 20, f"width of the search inside a playout; from {CAREFUL} on it is careful and slow"),
    Parameter("width", 30, 1, 40, "width of the search that finds the plans"),
)
_PLAYOUTS, _PLANS, _DEPTH, _INNER, _WIDTH = range(len(PARAMETERS))

NODES = 6
"""From how many of the best positions after each action special cards are tried."""
RESCUED = 8
"""Positions more, after every action, that are kept for the tiles they save."""
MOST_PLANS = 32
MOST_ANSWERS = 8
"""Answers that are compared, at most."""
FAR_WORSE = 1.5
"""Logits by which an answer may be worth less than the best one and is still played out."""
FOR_ANSWERS = 0.5
"""Playouts for one answer between the turns, as a share of those for a turn."""
LEAST_CHANCE = 0.3
"""With a smaller one of living through a turn, a playout draws whatever cards come."""
ATTEMPTS = 12
"""How often it draws, at most, until the game stays open."""
ANEW = 1_000_003
"""What is added to the number of a sample for another one."""
SINKING = 1 << LANDING_SUNK | 1 << TREASURE_SUNK
"""The losses that `survival` speaks of, as `row.causes` has them."""
NOTICED = 0.02
"""The least difference between two chances to live through a turn that matters."""
PRIOR = 1.0
"""For how many playouts the learned value counts."""

if COMPILED:

    @jit
    def new_log() -> np.ndarray:
        """An array of one LOG record; nothing is ever written there."""
        return np.empty(1, LOG)

    @jit
    def new_hidden() -> np.ndarray:
        """An array of one HIDDEN record, zeroed."""
        return np.zeros(1, HIDDEN)

else:

    def new_log() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.recarray(1, LOG)

    def new_hidden() -> np.ndarray:
        """The same, with fields as attributes."""
        return np.zeros(1, HIDDEN).view(np.recarray)


@jit
def quick(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    """Who plays inside a playout."""
    return expertly(rules, view, mind, stream, int(mind.numbers[_INNER]), 1)


_QUICK = inlaid(quick)


@jit
def budget_of(rules: Rules, mind: Mind) -> float:
    """Playouts for one turn: the fewer players, the quicker is each, and the more are made in the same time."""
    return mind.numbers[_PLAYOUTS] * 4.0 / rules.players


@jit
def sample(rules: Rules, view: View, hidden: Hidden, seed: int, number: int) -> None:
    """What players cannot know, drawn afresh: the order of the treasure deck and of each layer of the flood deck."""
    hidden.seed = seed
    hidden.trial = number
    hidden.treasure_shuffles = 0
    hidden.flood_shuffles = 0
    hidden.fault = 0
    hidden.asked = 0
    chance.shuffle_treasure(rules, view, hidden)
    for i in range(view.layers):
        chance.shuffle_flood(view, hidden, view.layer[i])


@jit
def go_on(
    rules: Rules, view: View, hidden: Hidden, row: Row, mind: Mind, stream: Stream, log: Log, choice: int
) -> None:
    """Give an answer between the turns, and play the turn on to its end."""
    carry_out(rules, view, row, choice)
    if view.over:
        return
    if view.decision == SWIM_NOW:
        engine.swim_ashore(rules, view, hidden, row, _QUICK, mind, stream, log, view.sunk_now)
    elif view.decision == DISCARD_DOWN:
        engine.keep_hand_limit(rules, view, hidden, row, _QUICK, mind, stream, log, view.decider)
    elif choice == choices.stop():
        engine.draw_flood_card(rules, view, hidden, row, _QUICK, mind, stream, log)
    if view.phase == DRAWING and not view.over:
        engine.go_on_drawing(rules, view, hidden, row, _QUICK, mind, stream, log)
        if not view.over:
            engine.draw_flood_cards(rules, view, hidden, row, _QUICK, mind, stream, log)
    elif not view.over:
        engine.go_on_flooding(rules, view, hidden, row, _QUICK, mind, stream, log)


@jit
def draw_safely(
    rules: Rules,
    views: np.ndarray,
    spares: np.ndarray,
    hidden: Hidden,
    row: Row,
    mind: Mind,
    stream: Stream,
    log: Log,
) -> float:
    """The cards of the turn in `views[0]`, other ones as long as what sinks by them ends the game.

    Returns the chance of cards that do not: whoever weights what comes of it with that knows the danger exactly, which
    a few playouts would tell by luck.  Where that chance is not known, any cards, and 1.
    """
    view = views[0]
    chance = survival(rules, view) if foreseen(rules, view) else 1.0
    if chance < LEAST_CHANCE:
        chance = 1.0
    if chance < 1.0:
        spares[0] = view
    for attempt in range(ATTEMPTS):
        if attempt > 0:
            views[0] = spares[0]
            row.result = -1
            row.rises = 0
            sample(rules, view, hidden, hidden.seed, hidden.trial + ANEW)
        engine.draw_treasure_cards(rules, view, hidden, row, _QUICK, mind, stream, log)
        if not view.over:
            engine.draw_flood_cards(rules, view, hidden, row, _QUICK, mind, stream, log)
        if chance == 1.0 or not view.over or row.result == WON or row.causes & SINKING == 0:
            break
    return chance


@jit
def playout(
    rules: Rules,
    views: np.ndarray,
    spares: np.ndarray,
    hidden: Hidden,
    row: Row,
    mind: Mind,
    stream: Stream,
    log: Log,
    work: Work,
    depth: int,
    choice: int,
) -> float:
    """Play on from `views[0]` with cards that were sampled; the chance of winning where it ends.

    choice: the answer to what is asked, or -1 at the end of an action phase.  spares: room for one more view.
    """
    view = views[0]
    row.result = -1
    row.rises = 0
    weight = 1.0
    for turns in range(depth + 1):
        if turns > 0:
            if view.turn >= rules.turn_limit:
                return 0.0
            engine.pass_the_turn(rules, view)
            view.turn += 1
            forget_plan(mind)
            engine.take_actions(rules, view, hidden, row, _QUICK, mind, stream, log)
            if view.over:
                break
            if turns == depth:
                view.phase = ACTIONS
                prepare(rules, view, work)
                return weight * chance_of(set_base(rules, view, mind, work, network_at(rules)))
        if turns == 0 and choice >= 0:
            go_on(rules, view, hidden, row, mind, stream, log, choice)
        else:
            weight *= draw_safely(rules, views, spares, hidden, row, mind, stream, log)
        if view.over:
            break
    return weight if row.result == WON else 0.0


@jit
def halve(
    rules: Rules,
    view: View,
    mind: Mind,
    stream: Stream,
    search: Search,
    works: np.ndarray,
    views: np.ndarray,
    spares: np.ndarray,
    rows: np.ndarray,
    hiddens: np.ndarray,
    logs: np.ndarray,
    options: np.ndarray,
    totals: np.ndarray,
    n: int,
    budget: float,
    ends: bool,
) -> int:
    """Which of `n` options is best: sequential halving (Karnin, Koren, Somekh, ICML 2013).

    options: kept positions of the search (`ends`), or answers; best first.  totals: what each is thought to be
    worth, to which its playouts are added.
    """
    seed = rng.word(stream)
    traced = mind.traced
    mistakes = mind.mistakes
    mind.traced = 0
    mind.mistakes = 0.0  # its own; in its head nobody makes any
    copy = views[0]
    log = logs[0]
    log.recording = 0
    row = rows[0]
    hidden = hiddens[0]
    work = works[0]
    depth = int(mind.numbers[_DEPTH])
    rounds = 0
    left = n
    while left > 1:
        rounds += 1
        left = (left + 1) // 2
    done = 0
    while n > 1:
        more = max(1, int(budget / (rounds * n) + 0.5))
        for number in range(done, done + more):
            for i in range(n):
                views[0] = view
                choice = -1
                if ends:
                    unpack(copy, search.kept[options[i]])
                    copy.actions_left = 0
                else:
                    choice = options[i]
                sample(rules, copy, hidden, seed, number)
                totals[i] += playout(rules, views, spares, hidden, row, mind, stream, log, work, depth, choice)
        done += more
        for i in range(1, n):  # best first; of equals the one that the value likes better
            option = options[i]
            total = totals[i]
            j = i
            while j > 0 and totals[j - 1] < total:
                options[j] = options[j - 1]
                totals[j] = totals[j - 1]
                j -= 1
            options[j] = option
            totals[j] = total
        n = (n + 1) // 2
    mind.mistakes = mistakes
    mind.traced = traced
    forget_plan(mind)  # what was planned in a playout
    return options[0]


@jit
def with_the_safest(rules: Rules, view: View, copies: np.ndarray, search: Search, ends: np.ndarray, n: int) -> int:
    """Of `n` plans all of which leave the end of the game to luck, the last makes room for one that does so least.

    Returns that one's kept position, or -1 when nothing changed.  Of equally safe ones it is the one that the value
    likes best.  copies: room for one view.
    """
    safest = 0.0
    for i in range(n):
        safest = max(safest, safety(rules, view, copies, search, ends[i]))
    if safest > 1.0 - NOTICED:
        return -1
    best = -1
    for k in range(search.kept_size):
        if not search.kept_whole[k]:
            continue
        chance = safety(rules, view, copies, search, k)
        if chance > safest + NOTICED or (
            best >= 0 and chance > safest - NOTICED and search.kept_value[k] > search.kept_value[best]
        ):
            safest = max(safest, chance)
            best = k
    if best >= 0:
        ends[n - 1] = best
    return best


@jit
def safety(rules: Rules, view: View, copies: np.ndarray, search: Search, end: int) -> float:
    """The chance that nothing sinks by this turn's cards that ends the game, after a plan; 1 where it is not known."""
    copies[0] = view
    copy = copies[0]
    unpack(copy, search.kept[end])
    return survival(rules, copy) if not copy.over and foreseen(rules, copy) else 1.0


@jit
def choose_end(
    rules: Rules,
    view: View,
    mind: Mind,
    stream: Stream,
    search: Search,
    works: np.ndarray,
    views: np.ndarray,
    spares: np.ndarray,
    rows: np.ndarray,
    hiddens: np.ndarray,
    logs: np.ndarray,
) -> int:
    """Which kept position to aim at."""
    ends = np.empty(MOST_PLANS, np.int64)
    totals = np.empty(MOST_PLANS, np.float64)
    budget = budget_of(rules, mind)
    plans = int(min(mind.numbers[_PLANS], max(2.0, budget * 0.5)))
    n = best_ends(search, plans, ends)
    if n <= 1 or search.kept_value[ends[0]] >= CERTAIN or budget < 1.0:
        return ends[0]
    with_the_safest(rules, view, spares, search, ends, n)
    for i in range(n):
        totals[i] = PRIOR * chance_of(search.kept_value[ends[i]])
    return halve(
        rules, view, mind, stream, search, works, views, spares, rows, hiddens, logs, ends, totals, n, budget, True
    )


@jit
def answer(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    """The answer to what is asked between the turns."""
    return _answer(
        rules, view, mind, stream, new_work(), new_search(), new_view(), new_view(), new_row(), new_hidden(), new_log()
    )


@jit
def _answer(
    rules: Rules,
    view: View,
    mind: Mind,
    stream: Stream,
    works: np.ndarray,
    searches: np.ndarray,
    views: np.ndarray,
    spares: np.ndarray,
    rows: np.ndarray,
    hiddens: np.ndarray,
    logs: np.ndarray,
) -> int:
    work = works[0]
    views[0] = view
    weigh(rules, view, views[0], rows[0], mind, work, network_at(rules))
    options = np.empty(MOST_ANSWERS, np.int64)
    worths = np.empty(MOST_ANSWERS, np.float64)
    n = 0
    for k in range(work.options):
        worth = work.worth[k]
        if n == MOST_ANSWERS and worth <= worths[n - 1]:
            continue
        j = n if n < MOST_ANSWERS else n - 1
        while j > 0 and worths[j - 1] < worth:
            options[j] = options[j - 1]
            worths[j] = worths[j - 1]
            j -= 1
        options[j] = work.option[k]
        worths[j] = worth
        if n < MOST_ANSWERS:
            n += 1
    budget = FOR_ANSWERS * budget_of(rules, mind)
    n = int(min(n, max(2.0, budget * 0.5)))
    while n > 1 and worths[n - 1] < worths[0] - FAR_WORSE:
        n -= 1
    best = options[0]
    if n > 1 and worths[0] < CERTAIN:
        for i in range(n):
            worths[i] = PRIOR * chance_of(worths[i])
        best = halve(
            rules,
            view,
            mind,
            stream,
            searches[0],
            works,
            views,
            spares,
            rows,
            hiddens,
            logs,
            options,
            worths,
            n,
            budget,
            False,
        )
    if mind.traced:
        for k in range(work.options):
            if work.option[k] == best:
                because(mind, ANSWER, percent(work.worth[k]))
    return best


@jit
def think(rules: Rules, view: View, mind: Mind, stream: Stream) -> None:
    """Find the plan of this turn and note it."""
    _think(
        rules, view, mind, stream, new_work(), new_search(), new_view(), new_view(), new_row(), new_hidden(), new_log()
    )


@jit
def _think(
    rules: Rules,
    view: View,
    mind: Mind,
    stream: Stream,
    works: np.ndarray,
    searches: np.ndarray,
    views: np.ndarray,
    spares: np.ndarray,
    rows: np.ndarray,
    hiddens: np.ndarray,
    logs: np.ndarray,
) -> None:
    search = searches[0]
    copy = views[0]
    views[0] = view
    at = network_at(rules)
    width = int(mind.numbers[_WIDTH])
    if mind.numbers[_PLAYOUTS] > 0.0:
        search.nodes = NODES
        search.rescue = RESCUED
    else:
        take_care(search, width)
    search_turn(rules, copy, rows[0], mind, works[0], search, at, width)
    end = choose_end(rules, view, mind, stream, search, works, views, spares, rows, hiddens, logs)
    views[0] = view
    plan = np.empty(LONGEST_PLAN, np.int64)
    length = write_plan(search, end, plan)
    root = np.empty(STATE, np.int64)
    pack(view, root)
    note_plan(rules, copy, rows[0], mind, root, plan, length, percent(search.kept_value[end]))


@policy(
    "master",
    parameters=PARAMETERS,
    memory=MEMORY,
    weights=weights.numbers({}),
    learns=True,
    reasons=REASONS,
    games_per_second=2,
    sources=(*SOURCES, *(Path(__file__).with_name(f"{name}.py") for name in ("danger", "expert"))),
)
def master(rules: Rules, view: View, mind: Mind, stream: Stream) -> int:
    if view.decision == ACT:
        choice = planned(view, mind)
        if choice >= 0:
            return choice
        think(rules, view, mind, stream)
        return planned(view, mind)
    if mind.numbers[_PLAYOUTS] > 0.0 and open_question(rules, view):
        return answer(rules, view, mind, stream)
    return expertly(rules, view, mind, stream, int(mind.numbers[_WIDTH]), 1)

"""Players from users' files: found, compiled, fast, part of the identity; and a beginner's errors in one line each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analysis import players as ready
from analysis.errors import InputErrors
from analysis.experiment import load
from sim import registry
from sim.core.compile import COMPILED
from sim.core.game import PolicyFault, SettingsError
from sim.forbidden_island import players
from sim.forbidden_island.policies import POLICIES

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
GAME = registry.get("forbidden_island")
HEAD = "name: own\nquestion: Does it win?\ngame: forbidden_island\ntrials: 40\nseed: 3\nrules: {players: 3}\n"
IMPORTS = "from sim.forbidden_island.player import ACT, bits, choices, jit, legal, policy, rng, rule\n"
GOOD = (
    IMPORTS
    + """

@policy("mine")
def mine(rules, view, mind, stream):
    if view.decision == ACT:
        return choices.stop()
    return legal.option(rules, view, 0)
"""
)
compiled = pytest.mark.skipif(not COMPILED, reason="the compiler is off")


def write(folder, text, name="mine.py", policy="{file: mine.py}"):
    """A player's file and an experiment beside it; the experiment's path."""
    (folder / name).write_text(text, encoding="utf-8")
    config = folder / "x.yaml"
    config.write_text(HEAD + f"policy: {policy}\n", encoding="utf-8")
    return config


def refused(folder, text):
    """What is said of a file; always one line."""
    with pytest.raises(InputErrors) as error:
        ready.prepare(load(write(folder, text)))
    assert len(error.value.errors) == 1
    assert "\n" not in str(error.value)
    return str(error.value).replace(str(folder), "")


# ---- what works -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_ready_and_plays(path, tmp_path):
    """Each is rehearsed, compiled and plays; each line of its trace that it chose tells why."""
    shutil.copy(path, tmp_path)
    config = write(tmp_path, GOOD, policy=f"{{file: {path.name}}}")
    experiment = load(config)
    ready.prepare(experiment)
    cell = experiment.cells[0]
    games = GAME.play(cell.knobs, cell.policy, 3, 0, 200).games
    assert games["turns"].min() >= 1
    events = GAME.trace(cell.knobs, cell.policy, 3, 0)
    assert any("reason" in event for event in events)
    assert events[0]["policy"] == cell.policy["name"]


def test_the_examples_are_short_and_one_changes_a_single_habit():
    """One of about forty lines; one whose games are the cooperative team's but for Sandbags between flood cards."""
    lengths = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLES}
    assert lengths["caretaker"] <= 45
    knobs = GAME.resolve({"players": 3, "sandbags": 0})
    mine = GAME.resolve_policy({"file": str(ROOT / "examples" / "no_sandbags.py")})
    own, team = (GAME.play(knobs, policy, 3, 0, 100) for policy in (mine, GAME.resolve_policy("cooperative")))
    assert all(own.games[key].tobytes() == team.games[key].tobytes() for key in team.games)
    with_sandbags = GAME.resolve({"players": 3})
    own, team = (GAME.play(with_sandbags, each, 3, 0, 100) for each in (mine, GAME.resolve_policy("cooperative")))
    assert own.games["sandbags_played"].sum() < team.games["sandbags_played"].sum()


def test_a_file_stands_wherever_a_policy_may(tmp_path):
    """At the top, in a grid, in a cell; with its parameters; its path begins at the experiment's folder."""
    text = GOOD.replace('@policy("mine")', '@policy("mine", parameters=(Parameter("zeal", 1, 0, 2, "how much"),))')
    config = write(tmp_path, text.replace("import ACT", "import Parameter, ACT"))
    assert load(config).cells[0].policy["zeal"] == 1.0
    head = config.read_text(encoding="utf-8").replace("policy: {file: mine.py}\n", "")
    config.write_text(head + "grid: {policy: [idle, {file: mine.py}, {file: mine.py, zeal: 0.5}]}", encoding="utf-8")
    cells = load(config).cells
    assert [cell.label for cell in cells] == ["idle", "mine", "mine(zeal=0.5)"]
    assert [cell.policy.get("zeal") for cell in cells] == [None, 1.0, 0.5]
    config.write_text(head + "policy: idle\ncells: [{label: a}, {label: b, policy: {file: mine.py, zeal: 9}}]")
    with pytest.raises(InputErrors) as error:
        load(config)
    assert str(error.value).endswith("x.yaml:8:62: cells[1].policy.zeal: 9 is not a number in 0..2")


def test_the_content_is_part_of_the_identity_and_the_place_is_not(tmp_path):
    """The same bytes elsewhere are the same cell; one byte more is another one."""
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    one, same, other = (
        load(write(tmp_path / name, text)).cells[0].identity
        for name, text in (("a", GOOD), ("b", GOOD), ("c", GOOD + "\n# more\n"))
    )
    assert one == same
    assert one != other


def test_a_file_that_reuses_players_changes_with_them(tmp_path, monkeypatch):
    """The sources of the players that ship are part of its content, if it imports any of them."""
    from sim.core import userfile

    alone = GAME.resolve_policy({"file": str(ROOT / "examples" / "caretaker.py")})["content"]
    reusing = GAME.resolve_policy({"file": str(ROOT / "examples" / "no_sandbags.py")})["content"]
    monkeypatch.setattr(userfile, "_LOADED", {})
    monkeypatch.setattr(userfile, "_reused", lambda tree: [])
    assert GAME.resolve_policy({"file": str(ROOT / "examples" / "caretaker.py")})["content"] == alone
    assert GAME.resolve_policy({"file": str(ROOT / "examples" / "no_sandbags.py")})["content"] != reusing


def test_a_file_that_changes_in_between_is_not_played(tmp_path):
    """What was read is what is played, or nothing is."""
    cell = load(write(tmp_path, GOOD)).cells[0]
    (tmp_path / "mine.py").write_text(GOOD + "\n# more\n", encoding="utf-8")
    with pytest.raises(players.PlayerFileError, match="has changed"):
        GAME.play(cell.knobs, cell.policy, 3, 0, 1)


# ---- a beginner's errors --------------------------------------------------------------------------------------------

DECORATED = '@policy("mine")\ndef mine(rules, view, mind, stream):\n'

ERRORS = {
    "a misspelt field": (
        IMPORTS + DECORATED + "    return choices.shore_up(bits.first(view.floded))\n",
        '/x.yaml:7:16: policy.file: /mine.py:4:40: view has no field "floded"; did you mean flooded?',
    ),
    "no decorator": (
        IMPORTS + "def mine(rules, view, mind, stream):\n    return choices.stop()\n",
        '/mine.py:2:1: no function has the decorator of a player; put @policy("mine") above mine',
    ),
    "a decorator without a name": (
        IMPORTS + "@policy\ndef mine(rules, view, mind, stream):\n    return choices.stop()\n",
        '/mine.py:2:2: @policy needs a name; write @policy("mine")',
    ),
    "three parameters": (
        IMPORTS + '@policy("mine")\ndef mine(rules, view, mind):\n    return 0\n',
        "/mine.py:2: mine takes 3 parameters, not the four (rules, view, mind, stream)",
    ),
    "no Python": (IMPORTS + "def mine(:\n", "/mine.py:2:10: not valid Python: "),
    "an exception at once": (IMPORTS + "x = 1 / 0\n", "/mine.py:2: ZeroDivisionError: division by zero"),
    "another file": ("import helpers\n" + GOOD, "/mine.py:1:1: a player is one file; it may import __future__, "),
    "a file beside": ("from . import helpers\n" + GOOD, "/mine.py:1:1: a player is one file; it may import "),
    "a name that ships": (GOOD.replace('"mine"', '"idle"'), 'mine.py names its player "idle", as one that ships'),
    "an illegal move": (
        IMPORTS + DECORATED + "    if view.decision == ACT:\n        return choices.move(view.pawn[view.active])\n"
        "    return legal.option(rules, view, 0)\n",
        "/mine.py:5: illegal choice: turn 1, seat 2, asked to act: move (21, 0, 0) (trial 0 of own)",
    ),
    "an endless loop": (
        IMPORTS + DECORATED + "    k = 0\n    while k < 10:\n        k = k * 2\n    return choices.stop()\n",
        "an endless loop? More than 200,000 steps for one choice (trial 0 of own)",
    ),
    "an exception in play": (
        IMPORTS + DECORATED + "    if view.hand[view.players_seat(), 0]:\n        return 0\n    return 0\n",
        '/mine.py:4:18: view has no field "players_seat"',
    ),
    "an index out of range": (
        IMPORTS + DECORATED + "    if view.hand[7, 0]:\n        return choices.stop()\n"
        "    return legal.option(rules, view, 0)\n",
        "/mine.py:4: IndexError: index 7 is out of bounds",
    ),
    "nothing returned": (
        IMPORTS + DECORATED + "    if view.decision == ACT:\n        return choices.stop()\n",
        "cannot be compiled: one way through the function returns nothing; every way must return a choice",
    ),
    "a plain helper": (
        IMPORTS + "def helper(view):\n    return 0\n" + DECORATED + "    return helper(view)\n",
        "/mine.py:6: cannot be compiled: helper is a plain function; put @jit above it, so that it can be compiled too",
    ),
    "a dictionary": (
        IMPORTS + "WORTH = {1: 2}\n" + DECORATED + "    return WORTH[1]\n",
        "/mine.py:5: cannot be compiled: WORTH is a dict, which compiled code cannot read",
    ),
    "an unknown name": (
        IMPORTS + DECORATED + "    return nonsense(view)\n",
        '/mine.py:4: cannot be compiled: name "nonsense" is not defined',
    ),
    "an unknown constructor": (
        IMPORTS + DECORATED + "    return choices.mooove(3)\n",
        '/mine.py:4: cannot be compiled: choices has no "mooove"',
    ),
}
NEEDS_THE_COMPILER = {"nothing returned", "a plain helper", "a dictionary", "an unknown name", "an unknown constructor"}


@pytest.mark.parametrize("slip", ERRORS)
def test_a_beginners_error_is_told_in_one_line(slip, tmp_path):
    """Each with the file's line and what is wrong, before a game is played."""
    if slip in NEEDS_THE_COMPILER and not COMPILED:
        pytest.skip("the compiler is off")
    text, expected = ERRORS[slip]
    assert expected in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"file": "gone.py"}, "gone.py: cannot be read: No such file or directory"),
        ({"file": 3}, "3 is not the path of a Python file (.py)"),
        ({"file": "notes.txt"}, '"notes.txt" is not the path of a Python file (.py)'),
    ],
)
def test_a_file_that_is_none_is_refused(spec, words):
    with pytest.raises(SettingsError) as error:
        GAME.resolve_policy(spec)
    assert [problem.allowed for problem in error.value.problems] == [words]
    assert error.value.problems[0].path == ("file",)


def test_two_players_in_a_file_are_named(tmp_path):
    """A file may hold several; then the spec says which."""
    more = (
        GOOD + '\n\n@policy("other")\ndef other(rules, view, mind, stream):\n    return legal.option(rules, view, 0)\n'
    )
    (tmp_path / "mine.py").write_text(more, encoding="utf-8")
    path = str(tmp_path / "mine.py")
    with pytest.raises(SettingsError, match="holds 2 players; name one of them: mine, other"):
        GAME.resolve_policy({"file": path})
    assert GAME.resolve_policy({"file": path, "name": "other"})["name"] == "other"
    with pytest.raises(SettingsError, match="did you mean other"):
        GAME.resolve_policy({"file": path, "name": "othr"})


LATE = (
    IMPORTS
    + """

@policy("late")
def late(rules, view, mind, stream):
    if stream.trial == 5 and view.turn == 2:
        SLIP
    return legal.option(rules, view, 0)
"""
)


@compiled
def test_an_illegal_move_in_a_later_game_names_trial_and_line(tmp_path):
    """Beyond the rehearsed games the batch stops; the trial is played again in plain Python to find the line, and the
    replay tells the game until there."""
    experiment = load(write(tmp_path, LATE.replace("SLIP", "return choices.fly(63)")))
    ready.prepare(experiment)
    cell = experiment.cells[0]
    with pytest.raises(PolicyFault) as fault:
        GAME.play(cell.knobs, cell.policy, 3, 0, 40)
    assert fault.value.trial == 5
    assert ready.place_of(experiment, cell, fault.value).endswith("mine.py:7: ")
    with pytest.raises(PolicyFault) as fault:
        GAME.trace(cell.knobs, cell.policy, 3, 5)
    assert [event["event"] for event in fault.value.events].count("turn") == 2


@compiled
def test_an_exception_in_a_later_game_is_a_fault(tmp_path):
    """Compiled code cannot hand an exception on through a function pointer; it is heard all the same."""
    cell = load(write(tmp_path, LATE.replace("SLIP", "raise ValueError('no idea')"))).cells[0]
    with pytest.raises(PolicyFault, match="ValueError: no idea"):
        GAME.play(cell.knobs, cell.policy, 3, 0, 40)


@compiled
def test_an_endless_loop_in_a_later_game_is_a_fault(tmp_path):
    """No answer within the patience ends the run, naming the trial; in a process of its own, for the loop goes on."""
    config = write(tmp_path, LATE.replace("SLIP", "while view.turn == 2:\n            k = view.turn"))
    script = (
        "import sys\nfrom analysis.experiment import load\nfrom sim import registry\n"
        "from sim.core.game import PolicyFault\nfrom sim.forbidden_island import players\n"
        "cell = load(sys.argv[1]).cells[0]\ngame = registry.get('forbidden_island')\ngame.prepare(cell.policy)\n"
        "players.PATIENCE = 0.2\n"
        "try:\n    game.play(cell.knobs, cell.policy, 3, 0, 40)\nexcept PolicyFault as fault:\n    print(fault)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(config)], cwd=ROOT, capture_output=True, text=True)
    assert "policy late: illegal choice in seed 3, trial 5: an endless loop? No answer within" in done.stdout


# ---- the command ----------------------------------------------------------------------------------------------------


def islandlab(folder, *arguments):
    command = [sys.executable, "-m", "analysis.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@compiled
def test_the_option_takes_the_place_of_the_policy(tmp_path):
    """`--policy` on validate, plan, run and replay: a name, a file, or a mapping; refused where the policy varies."""
    config = write(tmp_path, LATE.replace("SLIP", "return choices.fly(63)"), policy="idle")
    (tmp_path / "good.py").write_text(GOOD, encoding="utf-8")
    planned = islandlab(tmp_path, "plan", "x.yaml", "--policy", "good.py")
    assert planned.stdout.splitlines()[3].split()[:2] == ["own", "mine"]
    checked = islandlab(tmp_path, "validate", "x.yaml", "--policy", "{name: idle, mistakes: 2}")
    assert (checked.returncode, checked.stderr.count("\n")) == (2, 1)
    assert "policy.mistakes: 2 is not a number in 0..1" in checked.stderr
    run = islandlab(tmp_path, "run", "x.yaml", "--policy", "mine.py", "--quiet")
    assert run.returncode == 3
    message, hint = run.stderr.splitlines()
    assert message.startswith("islandlab: mine.py:7: policy late: illegal choice in seed 3, trial 5: turn 2, seat ")
    assert hint == "  islandlab replay x.yaml --policy mine.py --trials 5"
    replayed = islandlab(tmp_path, *hint.split()[1:])
    assert replayed.returncode == 3
    assert "-- Turn 2:" in replayed.stdout
    assert replayed.stderr.startswith("islandlab: mine.py:7: ")
    described = islandlab(tmp_path, "policies", "mine.py").stdout.splitlines()
    assert described[0].startswith("late:")
    assert any(line.strip().startswith("mistakes (0 to 1, default 0)") for line in described)
    assert islandlab(tmp_path, "policies", "gone.py").stderr.startswith("islandlab: gone.py: cannot be read")
    config.write_text(HEAD + "grid: {policy: [idle, random]}\n", encoding="utf-8")
    varied = islandlab(tmp_path, "plan", "x.yaml", "--policy", "cooperative")
    assert varied.returncode == 2
    assert "x.yaml:7:8: grid.policy: policy is varied here" in varied.stderr


@compiled
def test_a_users_player_is_as_fast_as_one_that_ships():
    """It is compiled for the same signature, once, and handed to the engine as the same kind of pointer."""
    mine = GAME.resolve_policy({"file": str(ROOT / "examples" / "no_sandbags.py")})
    for spec in (mine, GAME.resolve_policy("cooperative")):
        GAME.prepare(spec)
    own, team = players.model(mine).choose, POLICIES["cooperative"].choose
    assert own.signatures == team.signatures
    assert len(own.signatures) == 1


# ---- the page -------------------------------------------------------------------------------------------------------


def test_the_page_names_every_field_helper_and_constructor():
    """docs/writing-a-player.md has each field of the view, each decision, each constructor and each helper, and its
    example plays."""
    import inspect
    import re

    from sim.core.compile import jit
    from sim.forbidden_island import choices
    from sim.forbidden_island.constants import DECISIONS
    from sim.forbidden_island.state import VIEW

    page = (ROOT / "docs" / "writing-a-player.md").read_text(encoding="utf-8")
    assert [name for name in VIEW.names if f"view.{name}" not in page] == []
    constructors = re.findall(r"^def (\w+)\(.*\) -> int:$", inspect.getsource(choices), re.MULTILINE)
    makers = [name for name in constructors if name not in ("kind", "a", "b", "c")]
    assert len(makers) == 15
    assert [name for name in makers if f"choices.{name}(" not in page] == []
    assert len(re.findall(r"^\| `[A-Z_]+` \|", page, re.MULTILINE)) == len(DECISIONS)
    helpers = re.findall(r"`(legal|rule|bits)\.(\w+)\(", page)
    assert len(helpers) >= 15
    from sim.forbidden_island import player

    assert [name for module, name in helpers if not hasattr(getattr(player, module), name)] == []
    assert jit is player.jit


def test_the_example_of_the_page_plays(tmp_path):
    """The worked example is a file that is ready as it stands."""
    page = (ROOT / "docs" / "writing-a-player.md").read_text(encoding="utf-8")
    experiment = load(write(tmp_path, page.partition("```python\n")[2].partition("```")[0]))
    ready.prepare(experiment)
    assert GAME.play(experiment.cells[0].knobs, experiment.cells[0].policy, 3, 0, 50).games["turns"].min() >= 1

"""The command `islandlab`.  Only this module prints and exits; all heavy imports wait until a command needs them.

Exit codes: 0 done; 1 the machine did not allow it (no space, no permission), or a bug (with a traceback); 2 what the
user wrote cannot be done (configuration, options, a folder that holds another experiment); 3 a policy answered with
something illegal; 130 interrupted (143 by SIGTERM).  Problems go to stderr, one line each; results to stdout.
"""

from __future__ import annotations

import functools
import json
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from analysis.cells import Cell
    from analysis.cluster import Cluster
    from analysis.experiment import Experiment
    from analysis.results import RecordedCell, RecordedExperiment
    from sim.core.game import Game, PolicyInfo

FAILED, REFUSED, FAULT, INTERRUPTED = 1, 2, 3, 130
# What Typer raises for a wrong option or argument: it carries its own copy of click, so the class is asked for here.
USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="islandlab",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

ConfigArgument = Annotated[Path, typer.Argument(metavar="CONFIG", help="An experiment in YAML.", show_default=False)]
OutOption = Annotated[
    Path | None, typer.Option(help="Folder of the results.", show_default="reports/<name>", metavar="DIR")
]
WorkersOption = Annotated[int, typer.Option(min=0, help="Threads that play at once; 0: every core.")]
TrialsOption = Annotated[int | None, typer.Option(min=1, help="Games a cell, instead of the configuration's.")]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE.py",
        help="Another player for the whole experiment; {name: …, …} as in YAML works too.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="The summary as JSON on stdout, and nothing else there.")]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit."""
    command = typer.main.get_command(app)
    try:
        code = command.main(args=arguments, prog_name="islandlab", standalone_mode=False)
    except USAGE_ERROR as error:
        _say(_usage(error))
        code = REFUSED
    sys.exit(code if isinstance(code, int) else 0)


def _usage(error: Any) -> str:
    path = error.ctx.command_path if error.ctx is not None else "islandlab"
    return f"{_one_line(error.format_message()).rstrip('.')}; see {path} --help"


def _one_line(text: object) -> str:
    return " ".join(str(text).split())


def _say(line: str) -> None:
    """One line to a person, past the results."""
    print(f"islandlab: {line}", file=sys.stderr)


@contextmanager
def _interrupts_count() -> Iterator[None]:
    """An interrupt stays one where it meets a callback of the compiler, which swallows it and then fails on its own."""
    swallowed = []
    plain = sys.unraisablehook

    def note(unraisable: sys.UnraisableHookArgs) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            swallowed.append(True)
        else:
            plain(unraisable)

    sys.unraisablehook = note
    try:
        yield
    except Exception as error:
        if swallowed:
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = plain


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose expected failures become plain lines and exit codes."""

    @functools.wraps(command)
    def guarded(*args: Any, **options: Any) -> None:
        from analysis.errors import InputErrors
        from analysis.store import RunError
        from sim.core.game import PolicyFault
        from sim.core.userfile import PlayerFileError

        try:
            with _interrupts_count():
                command(*args, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough (`| head`). What is still buffered must not fail once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(FAILED) from None
        except KeyboardInterrupt:
            _say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except InputErrors as errors:
            for line in str(errors).splitlines():
                print(line, file=sys.stderr)
            raise typer.Exit(REFUSED) from None
        except RunError as error:
            _say(_one_line(error))
            raise typer.Exit(error.exit_code) from None
        except PolicyFault as fault:
            _say(_one_line(fault))
            raise typer.Exit(FAULT) from None
        except PlayerFileError as error:
            print(_one_line(error), file=sys.stderr)
            raise typer.Exit(REFUSED) from None
        except OSError as error:
            if error.strerror is None:
                raise
            _say(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
            raise typer.Exit(FAILED) from None

    return guarded


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="The version of islandlab, and nothing more.")] = False,
) -> None:
    """How hard is this start, for whom, why are games lost, and what happens if I turn this knob?"""
    if version:
        from importlib.metadata import version as installed

        print(f"islandlab {installed('islandlab')}")
    elif context.invoked_subcommand is None:
        print(context.get_help())
    else:
        return
    raise typer.Exit


# Experiments


@app.command()
@_guarded
def validate(
    configs: Annotated[
        list[Path], typer.Argument(metavar="CONFIG...", help="Experiments in YAML.", show_default=False)
    ],
    policy: PolicyOption = None,
) -> None:
    """Check experiments and say all that is wrong with them."""
    from analysis import players
    from analysis.errors import InputErrors

    refused = False
    for config in configs:
        try:
            experiment = _load(config, policy)
            players.prepare(experiment)
        except InputErrors as errors:
            refused = True
            print(errors, file=sys.stderr)
        else:
            cells, rule = len(experiment.cells), experiment.stopping
            games = f"{experiment.trials:,}" if rule is None else f"{rule.least:,} to {rule.most:,}"
            print(f"{config}: {cells} cell{_s(cells)} of {games} games")
    if refused:
        raise typer.Exit(REFUSED)


@app.command()
@_guarded
def plan(
    config: ConfigArgument,
    out: OutOption = None,
    trials: TrialsOption = None,
    policy: PolicyOption = None,
    workers: WorkersOption = 0,
) -> None:
    """Show what a run would play, how long it would take, how sure its answer would be, and what it needs on disk."""
    from analysis import planning, stopping
    from analysis.execute import cores
    from analysis.planning import duration

    experiment = _load(config, policy)
    folder = _folder(experiment, out)
    _game(experiment.game)
    cells = planning.plan(experiment, folder, trials)
    count, why = cores()
    threads, why = (workers, "") if workers else (count, f", {why}" if why else "")
    print(f"{experiment.name}: {experiment.question}")
    print()
    rows = [
        (
            cell.cell,
            cell.policy,
            f"{cell.games:,}",
            f"{cell.stored:,}",
            duration(cell.seconds / threads) if cell.games > cell.stored else "–",
            f"± {100 * cell.half_width:.2g}",
            cell.measured,
        )
        for cell in cells
    ]
    _table(("cell", "player", "games", "stored", "time", "win rate", "measured by"), rows, right={2, 3, 4})
    print()
    for line in planning.summary(cells, threads):
        print(line + (why if line.startswith("Time") else ""))
    if experiment.stopping is not None:
        for sentence in stopping.words(vars(experiment.stopping), experiment.stopping.planned):
            print(f"Rule       {sentence}")
    if experiment.compare:
        print(f"Compared   {'; '.join(f'{first} with {second}' for first, second in experiment.compare)}")
    print(f"Files      {folder}{os.sep}: report.html, report.md, figures, tables, results")


@app.command()
@_guarded
def run(
    config: ConfigArgument,
    out: OutOption = None,
    trials: TrialsOption = None,
    policy: PolicyOption = None,
    workers: WorkersOption = 0,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="Play on a Dask cluster.", show_default=False)
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Put damaged or foreign files aside and play their games again.")
    ] = False,
    share: Annotated[
        str | None, typer.Option(metavar="K/N", help="Only the K-th of N parts, for islandlab merge.")
    ] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Play an experiment, or go on with it, and write its report."""
    from analysis import players, runner
    from sim.core.game import PolicyFault

    part = _share(share)
    if scheduler and workers:
        _refuse("--workers counts threads of this machine; it does not go with --scheduler")
    experiment = _load(config, policy)
    players.prepare(experiment)
    folder = _folder(experiment, out)
    try:
        with _cluster(scheduler) as cluster, _progress(quiet or as_json, experiment.name) as progress:
            if progress and not cluster:
                _compile(experiment)
            made: dict[str, Any] = {}
            done = runner.run(
                experiment,
                folder,
                trials=trials,
                workers=workers,
                executor=cluster,
                progress=progress,
                repair=repair,
                share=part,
                finish=lambda folder: made.update(_write_report(folder)),
            )
    except (KeyboardInterrupt, runner.Stopped) as stopped:
        _say(_one_line(stopped) or "interrupted; what is stored is kept, and the same command goes on")
        print(f"  {shlex.join(['islandlab', *sys.argv[1:]])}", file=sys.stderr)
        raise typer.Exit(getattr(stopped, "exit_code", INTERRUPTED)) from None
    except PolicyFault as fault:
        suspects = [cell for cell in experiment.cells if cell.policy["name"] == fault.policy]
        _say(_one_line(players.place_of(experiment, suspects[0], fault) + str(fault)))
        chosen = ["--cell", suspects[0].label] if len(suspects) == 1 and len(experiment.cells) > 1 else []
        named = ["--policy", policy] if policy else []
        hint = ["islandlab", "replay", str(config), *named, *chosen, "--trials", str(fault.trial)]
        print(f"  {shlex.join(hint)}", file=sys.stderr)
        raise typer.Exit(FAULT) from None
    for path in done.aside:
        _say(f"put aside: {path}")
    if made:
        _finish(made, as_json, quiet)
    else:
        have = f"{done.there:,} of {done.games:,} games are in {folder}"
        _say(f"part {share} is played: {have}; islandlab merge joins the parts")


@contextmanager
def _cluster(address: str | None) -> Iterator[Cluster | None]:
    """The workers behind a scheduler, or None for the threads of this machine."""
    if address is None:
        yield None
        return
    from analysis.cluster import Cluster

    with Cluster(address, note=_say) as cluster:
        yield cluster


def _share(text: str | None) -> tuple[int, int]:
    part, slash, parts = (text or "1/1").partition("/")
    if not (slash and part.isascii() and part.isdigit() and parts.isascii() and parts.isdigit()):
        _refuse(f"--share: {text!r} is not K/N (the first of two parts: 1/2)")
    if not 1 <= int(part) <= int(parts):
        _refuse(f"--share: {part} is not in 1..{parts}")
    return int(part), int(parts)


def _compile(experiment: Experiment) -> None:
    """Have the engine and the players ready before chunks are begun, so that Ctrl-C need not wait for the compiler."""
    game = _game(experiment.game)
    for cell in {cell.policy["name"]: cell for cell in experiment.cells}.values():
        game.prepare(cell.policy)


@app.command()
@_guarded
def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run.", show_default=False)],
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary.")] = False,
) -> None:
    """Write the report of a finished run once more."""
    _finish(_write_report(directory), as_json, quiet)


@app.command()
@_guarded
def status(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
) -> None:
    """Say what a run's folder holds: games done, how sure they are, what is missing or damaged."""
    from analysis import status as found

    now = found.status(directory)
    if as_json:
        print(json.dumps(found.plain(now), indent=2, ensure_ascii=False))
    else:
        print("\n".join(found.lines(now)))
    if now.faults:
        raise typer.Exit(FAILED)


@app.command()
@_guarded
def merge(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of runs of one experiment.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder for all; may be one of them.", metavar="DIR", show_default=False)],
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary.")] = False,
) -> None:
    """Put runs of one experiment from several machines together, and write the report when nothing is missing."""
    from analysis.merge import merge as joined

    done = joined(directories, out)
    for note in done.notes:
        _say(note)
    if done.left:
        _say(f"{done.left:,} games lie in files that overlap others in part and were left out")
    if not done.whole:
        _say(
            f"{out} holds {done.games:,} of {done.asked:,} games now; islandlab run CONFIG --out {out} plays the rest "
            f"and writes the report"
        )
        return
    _finish(_write_report(out), as_json, quiet)


@app.command()
@_guarded
def chart(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run.", show_default=False)],
    name: Annotated[
        str | None, typer.Argument(metavar="[CHART]", help="Which one; without it, all are listed.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An .svg, .png or .pdf file.", show_default="CHART.svg")
    ] = None,
) -> None:
    """Draw one figure of a run's report into a file."""
    from analysis.report import chart as charts
    from analysis.report import facts, labels
    from sim.core.words import not_one_of

    if out is not None and out.suffix.removeprefix(".").lower() not in charts.FORMATS:
        _refuse(f"--out: {str(out)!r} ends in none of {', '.join(f'.{form}' for form in charts.FORMATS)}")
    if out is not None and name is None:
        _refuse("--out: needs the name of a chart; without --out the charts are listed")
    found = facts.of(directory)
    figures = charts.figures(found)
    if name is None:
        _table(("chart", "what it shows"), [(one.name, one.alt.split(". ")[0].rstrip(".")) for one in figures.values()])
        return
    if name not in figures:
        _refuse(f"chart: {not_one_of(name, figures)}")
    charts.write(figures[name], out or Path(f"{name}.svg"))
    warning = labels.warning(found)
    if warning:
        _say(warning)


@app.command()
@_guarded
def replay(
    config: Annotated[
        Path,
        typer.Argument(metavar="CONFIG", help="An experiment in YAML, or the folder of a run.", show_default=False),
    ],
    trials: Annotated[str, typer.Option(metavar="17|0:200", help="One trial, or first:end (end not included).")],
    cell: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Which cell; not needed if there is one.", show_default=False)
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="text|jsonl|html", help="For people, one event a line, or a page to step through."
        ),
    ] = "text",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Instead of stdout.", show_default=False)] = None,
    policy: PolicyOption = None,
) -> None:
    """Tell games turn by turn: trial 17, or trials 0 to 199 as 0:200."""
    from analysis import players
    from sim.core.game import PolicyFault

    if form not in ("text", "jsonl", "html"):
        _refuse(f"--format: {form!r} is none of text, jsonl and html")
    numbers = _trials(trials)
    experiment: Experiment | RecordedExperiment
    if config.is_dir():
        from analysis.results import recorded

        experiment = recorded(config)
    else:
        experiment = _load(config, policy)
    game = _game(experiment.game)
    chosen = _cell(experiment, config, cell)
    faults: list[PolicyFault] = []

    def played() -> Iterator[list[dict[str, Any]]]:
        for number in numbers:
            try:
                yield game.trace(chosen.knobs, chosen.policy, experiment.seed, number)
            except PolicyFault as fault:
                # What was played until then is told, so that the position can be looked at.
                faults.append(fault)
                yield fault.events
                return

    told = _told(game, played(), form)
    if out is None:
        for text in told:
            print(text, end="")
    else:
        from analysis.store import write_file

        write_file(out, "".join(told).encode("utf-8"))
    if faults:
        sys.stdout.flush()
        _say(_one_line(players.place_of(experiment, chosen, faults[0]) + str(faults[0])))
        raise typer.Exit(FAULT)


def _told(game: Game, traces: Iterator[list[dict[str, Any]]], form: str) -> Iterator[str]:
    """The games in one of the forms, piece by piece."""
    if form == "html":
        from analysis.report import viewer

        yield viewer.to_html([game.show(events) for events in traces])
        return
    for count, events in enumerate(traces):
        if form == "jsonl":
            yield "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
        else:
            yield "".join(f"{line}\n" for line in [*([""] if count else []), *game.tell(events)])


def _trials(text: str) -> range:
    first, colon, end = text.partition(":")
    if not (first.isascii() and first.isdigit() and (not colon or (end.isascii() and end.isdigit()))):
        _refuse(f"--trials: {text!r} is neither a trial (17) nor first:end (0:200)")
    numbers = range(int(first), int(end) if colon else int(first) + 1)
    if not numbers:
        _refuse(f"--trials: {text} holds no trial; the end must be above the first")
    return numbers


def _cell(experiment: Experiment | RecordedExperiment, config: Path, label: str | None) -> Cell | RecordedCell:
    from sim.core.words import unknown

    cells = {cell.label: cell for cell in experiment.cells}
    if label is None:
        if len(cells) > 1:
            _refuse(f"--cell is needed: {config} has the cells {', '.join(map(repr, cells))}")
        return experiment.cells[0]
    if label not in cells:
        _refuse(f"--cell: {unknown('cell', label, cells)}")
    return cells[label]


def _write_report(folder: Path) -> dict[str, Any]:
    """Write the report of the results in `folder`; its path, its summary and what a person should know about it."""
    from analysis.report import facts, files, labels, short

    found = facts.of(folder)
    page = files.write(found, folder)
    warning = labels.warning(found)
    return {"report": str(page), "warnings": [warning] if warning else [], **short.plain(found)}


def _finish(summary: dict[str, Any], as_json: bool, quiet: bool) -> None:
    for warning in summary["warnings"]:
        _say(warning)
    if as_json:
        print(json.dumps(summary, indent=2, ensure_ascii=False))
    elif not quiet:
        indent = _indent(summary["summary"][0])
        for line in [*summary["summary"], f"{'Report':<{indent}}{summary['report']}"]:
            print(_filled(line, indent))


def _indent(line: str) -> int:
    """Where the text begins after the line's title and two or more spaces."""
    title, _, text = line.partition("  ")
    return len(line) - len(text.lstrip()) if title else 0


def _filled(line: str, indent: int) -> str:
    """On a terminal, broken between words and hung under its text; one line everywhere else."""
    if not sys.stdout.isatty():
        return line
    width = max(indent + 30, shutil.get_terminal_size().columns)
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


# What there is to choose from

GameArgument = Annotated[str, typer.Argument(metavar="[GAME]", help="A game's name.")]
DEFAULT_GAME = "forbidden_island"


@app.command()
@_guarded
def train(
    config: ConfigArgument,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the training.", show_default="training/<name>", metavar="DIR")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of the player's own games.")] = None,
    games: Annotated[int | None, typer.Option(min=10, help="Games of each rule set in a round.")] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="Weights to set out from, or a training's folder: weights and lessons.", metavar="PATH"),
    ] = None,
    workers: WorkersOption = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Train the expert's learned value for the rules of an experiment, or go on with it."""
    from dataclasses import replace

    from analysis import training
    from sim.core.training import Learns

    experiment = _load(config)
    game = _game(experiment.game)
    if not isinstance(game, Learns):
        _refuse(f"{experiment.game}: no player of this game learns")
    teacher = game.teacher()
    folder = out or Path("training") / experiment.name
    recipe = training.Recipe() if start is None else training.Recipe.onward()
    if rounds:
        recipe = replace(recipe, rounds=rounds)
    if games:
        recipe = replace(recipe, games=games, first_games=2 * games)
    try:
        with _training_progress(quiet, experiment.name) as progress:
            last = training.train(experiment, teacher, folder, recipe, start=start, workers=workers, progress=progress)
    except KeyboardInterrupt:
        _say("interrupted; finished rounds are kept, and the same command goes on")
        raise typer.Exit(INTERRUPTED) from None
    except training.TrainingError as error:
        _refuse(_one_line(error))
    if not quiet:
        print(f"{folder / training.WEIGHTS}")
        print(f"  round {last['round']}: {100 * last['won']:.1f} % of {last['games']:,} games won")
        print(f"  use it: policy: {{name: {teacher.model}, weights: {folder / training.WEIGHTS}}}")


@contextmanager
def _training_progress(hidden: bool, title: str) -> Iterator[Callable[[str, float], None] | None]:
    """A bar on stderr while a training goes on, or a line for each step where there is no terminal."""
    if hidden:
        yield None
        return
    if not sys.stderr.isatty():
        yield lambda what, share: _say(f"{title}: {what} ({100 * share:.0f} %)")
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda what, share: bar.update(task, description=escape(f"{title}: {what}"), completed=share)


@app.command()
@_guarded
def games() -> None:
    """List the games."""
    from sim import registry

    rows = [(name, registry.get(name).title) for name in registry.names()]
    _table(("game", "title"), rows)


@app.command()
@_guarded
def policies(
    game: Annotated[str, typer.Argument(metavar="[GAME|FILE.py]", help="A game's name, or a file of players.")] = (
        DEFAULT_GAME
    ),
) -> None:
    """Describe the player models of a game, or of a file, and their parameters."""
    found = _players_of(game) if game.endswith(".py") else list(_game(game).policies.values())
    for count, info in enumerate(found):
        if count:
            print()
        _describe_policy(info)


def _players_of(path: str) -> list[PolicyInfo]:
    """What the players of a user's file are."""
    from sim.core.game import SettingsError

    game = _game(DEFAULT_GAME)
    try:
        file = game.player_file(game.resolve_policy({"file": path}))
    except SettingsError as error:
        _refuse(error.problems[0].allowed)
    return [model.info for model in file.policies.values()]


def _describe_policy(info: PolicyInfo) -> None:
    print(f"{info.name}: {info.summary}")
    for item in _items(info.description):
        _paragraph(item)
    for parameter in info.parameters:
        span = f"{parameter.low:g} to {parameter.high:g}, default {parameter.default:g}"
        _paragraph(f"{parameter.name} ({span}): {parameter.meaning}")


def _items(text: str) -> Iterator[str]:
    """Paragraphs and the entries of lists, each as one running text."""
    held: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts = line.lstrip()[:2] in ("- ", "* ") or line.lstrip().partition(". ")[0].isdigit()
        if held and (starts or not line.strip()):
            yield " ".join(held)
            held = []
        if line.strip():
            held.append(line)


@app.command()
@_guarded
def rules(game: GameArgument = DEFAULT_GAME) -> None:
    """List every rule knob of a game (default, what is allowed, why it exists), and the presets."""
    played = _game(game)
    print(f"{played.title}: the knobs of `rules:` and `grid:`")
    for knob in played.knobs:
        print(f"\n{knob.name}: {_plain(knob.default)}")
        _paragraph(f"allowed: {knob.allowed}")
        _paragraph(f"why: {knob.reason}")
    print("\nPresets (`preset: NAME`)")
    for name, knobs in played.presets.items():
        settings = ", ".join(f"{knob}: {_plain(value)}" for knob, value in knobs.items())
        print(f"\n{name}")
        _paragraph(settings or "every knob at its default")


def _plain(value: Any) -> str:
    """A value as it may be written in YAML."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# Shared steps


def _load(config: Path, policy: str | None = None) -> Experiment:
    from analysis.experiment import load

    return load(config, None if policy is None else _policy(policy))


def _policy(text: str) -> Any:
    """What `--policy` says: a name, a Python file, or a mapping in braces as in YAML."""
    from analysis.errors import InputErrors
    from analysis.source import Source

    if text.lstrip().startswith("{"):
        try:
            return Source(text, "--policy").data
        except InputErrors as errors:
            _refuse(_one_line(errors))
    return {"file": text} if text.endswith(".py") else text


def _game(name: str) -> Game:
    from sim import registry

    try:
        return registry.get(name)
    except registry.UnknownGameError as error:
        _refuse(str(error))


def _refuse(line: str) -> NoReturn:
    _say(line)
    raise typer.Exit(REFUSED)


def _folder(experiment: Experiment, out: Path | None) -> Path:
    return out if out is not None else Path("reports") / experiment.name


@contextmanager
def _progress(hidden: bool, title: str) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar on stderr while games are played; None where nobody would see it."""
    if hidden or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Compiling or loading the engine", total=None)

        def show(cell: str, done: int, total: int) -> None:
            text = f"{title}: {cell}" if done < total else "Writing the report"
            bar.update(task, description=escape(text), completed=done, total=total)

        yield show


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> None:
    from analysis.columns import columns

    print("\n".join(columns(head, rows, right)))


def _paragraph(text: str) -> None:
    width = min(100, shutil.get_terminal_size((100, 24)).columns)
    filled = textwrap.fill(" ".join(text.split()), max(30, width), initial_indent="  ", subsequent_indent="    ")
    if filled:
        print(filled)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


if __name__ == "__main__":
    main()

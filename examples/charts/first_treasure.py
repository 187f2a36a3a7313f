"""A chart of one's own from a million stored games: how often is a game won, by the turn of its first treasure?

    islandlab run examples/charts/first_treasure.yaml --out reports/first-treasure
    python examples/charts/first_treasure.py reports/first-treasure first_treasure.png

Cells between `# %%` lines run one by one in an editor that knows them; any other results of Forbidden Island do too.
"""

# %% The games, lazily: nothing is read yet
import sys

import matplotlib.pyplot as plt
import polars as pl

import analysis
from analysis import stats

folder, picture = sys.argv[1:3] if len(sys.argv) == 3 else ("reports/first-treasure", "first_treasure.png")
results = analysis.load(folder)
print(results.cells)

# %% One row for each cell and turn; Polars reads only the columns that are asked for, piece by piece
captures = [column.name for column in results.game.columns if column.name.startswith("capture_turn_")]
by_turn = (
    results.games.with_columns(turn=pl.min_horizontal(captures))  # null where no treasure was ever captured
    .group_by("cell", "turn")
    .agg(games=pl.len(), won=(pl.col("result") == "won").sum())
    .sort("cell", "turn", nulls_last=True)
    .collect(engine="streaming")
)
print(by_turn)

# %% An estimate for each point: never a share without its interval; few games say little
points = by_turn.drop_nulls("turn").filter(pl.col("games") >= 100)

# %% The chart
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
for (cell,), part in points.group_by("cell", maintain_order=True):
    rates = [stats.rate(won, games) for won, games in part.select("won", "games").iter_rows()]
    (line,) = axes.plot(part["turn"], [rate.value for rate in rates], marker="o", label=cell)
    axes.fill_between(
        part["turn"], [rate.low for rate in rates], [rate.high for rate in rates], color=line.get_color(), alpha=0.2
    )
axes.set(xlabel="Turn of the first treasure", ylabel="Share of games won (95 % interval)", ylim=(0, 1))
axes.legend(title="Start")
games = int(results.cells["games"].sum())
axes.set_title(f"Early first treasures and wins, {games:,} games")
figure.savefig(picture, dpi=150)
print(f"{games:,} games in {picture}")

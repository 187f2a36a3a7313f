"""Estimates with their intervals, from counts: nothing here reads a file or needs one number per game.

`rates` shares; `compare` and `pairing` two arms on the same trials; `incidence` causes and milestones over turns;
`bands` curves and distributions; `means` means and quantiles; `multiple` many comparisons; `scale` log odds and
models of all cells; `teams` what members add; `luck` what trials share; `ratios` shares of sums.  scipy and
statsmodels load on first use.
"""

from analysis.stats.bands import distribution_band, mean_band
from analysis.stats.compare import Pairs, Test, mcnemar, paired_difference
from analysis.stats.estimate import Band, EmptySample, Estimate
from analysis.stats.incidence import cumulative_incidence, incidence_by_cause
from analysis.stats.luck import fisher, rate_difference, shared_variance
from analysis.stats.means import mean, mean_of_histogram, quantile
from analysis.stats.multiple import holm
from analysis.stats.pairing import paired_mean_test, pairing_gain
from analysis.stats.rates import intervals, rate
from analysis.stats.ratios import share_of_total
from analysis.stats.scale import Fit, fieller, fit_binomial, log_odds_difference, relations
from analysis.stats.teams import Effects, contrast, homogeneity, spread, team_effects

__all__ = [
    "Band",
    "Effects",
    "EmptySample",
    "Estimate",
    "Fit",
    "Pairs",
    "Test",
    "contrast",
    "cumulative_incidence",
    "distribution_band",
    "fieller",
    "fisher",
    "fit_binomial",
    "holm",
    "homogeneity",
    "incidence_by_cause",
    "intervals",
    "log_odds_difference",
    "mcnemar",
    "mean",
    "mean_band",
    "mean_of_histogram",
    "paired_difference",
    "paired_mean_test",
    "pairing_gain",
    "quantile",
    "rate",
    "rate_difference",
    "relations",
    "share_of_total",
    "shared_variance",
    "spread",
    "team_effects",
]

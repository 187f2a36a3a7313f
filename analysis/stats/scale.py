"""One scale for all cells: log odds relative to a reference, and a binomial model of what moves them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import inf, isinf, log, sqrt

import numpy as np

from analysis.stats.estimate import EmptySample, Estimate, check_level
from analysis.stats.rates import rate

MOVER = "MOVER on log odds"


def log_odds_difference(
    first: tuple[int, int], second: tuple[int, int], relation: float = 0.0, level: float = 0.95
) -> Estimate:
    """Log odds of an event in the second arm minus those in the first.

    first, second: (count, games).  relation: correlation of the event in the two arms on common trials (0: none).
    The interval joins the two rates' own intervals (`rate`, on the log odds) by the method of variance estimates
    recovery for related estimates (Zou and Donner 2008, Stat. Med. 27:1693-1702).  Without an event in an arm (or
    without its absence) one side is unlimited; the value then counts half an event and half a game without.
    Raises EmptySample for an arm without games.  Not for arms that share only some of their trials: pass 0.
    """
    check_level(level)
    one, other = _log_odds(*first, level), _log_odds(*second, level)
    value = other.value - one.value
    low = _recovered(other.value - other.low, one.high - one.value, relation)
    high = _recovered(other.high - other.value, one.value - one.low, relation)
    return Estimate(value, value - low, value + high, min(one.n, other.n), MOVER, level)


def _recovered(one: float, other: float, relation: float) -> float:
    if isinf(one) or isinf(other):
        return inf
    return sqrt(max(0.0, one * one + other * other - 2 * relation * one * other))


def _log_odds(count: int, n: int, level: float) -> Estimate:
    e = rate(count, n, level)
    value = log((count + 0.5) / (n - count + 0.5))
    low = log(e.low / (1 - e.low)) if 0 < e.low < 1 else (-inf if e.low <= 0 else inf)
    high = log(e.high / (1 - e.high)) if 0 < e.high < 1 else (inf if e.high >= 1 else -inf)
    return Estimate(value, min(low, value), max(high, value), n, e.method, level)


def relations(together: np.ndarray, n: int) -> np.ndarray:
    """Correlations (k, k) of an event in k arms from how often it happened in both (k, k) on n common trials.

    An arm in which it always or never happened is unrelated to all others.
    """
    p = np.diag(together) / n
    spread = np.sqrt(p * (1 - p))
    outer = np.outer(spread, spread)
    covariance = together / n - np.outer(p, p)
    related = np.divide(covariance, outer, out=np.zeros_like(outer), where=outer > 0)
    np.fill_diagonal(related, 1.0)
    return np.clip(related, -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Fit:
    """A binomial model with log odds linear in the terms.

    names: (p,) terms.  beta: (p,) log odds.  covariance: (p, p), misfit included.  fitted: (k,) rates.  residuals: (k,)
    Pearson residuals, about 1 in size where the model is right.  deviance: of the model.  df: cells beyond the terms,
    0 where nothing is left to check the model.  misfit: how many times more the cells stray than chance explains
    (1 at least; the covariance is multiplied by it).  p_value: of "the model is right", None at df = 0.  n: games.
    quantile: of the intervals at `level`.
    """

    names: tuple[str, ...]
    beta: np.ndarray
    covariance: np.ndarray
    fitted: np.ndarray
    residuals: np.ndarray
    deviance: float
    df: int
    misfit: float
    p_value: float | None
    n: int
    quantile: float
    level: float

    @property
    def method(self) -> str:
        """The intervals' name."""
        return "binomial GLM, robust" + (" and widened by the misfit" if self.misfit > 1 else "")

    def effect(self, index: int) -> Estimate:
        """The term's effect on the log odds."""
        reach = self.quantile * sqrt(max(0.0, float(self.covariance[index, index])))
        value = float(self.beta[index])
        return Estimate(value, value - reach, value + reach, self.n, self.method, self.level)

    def combined(self, weights: np.ndarray) -> Estimate:
        """A weighted sum of the terms' effects; weights (p,)."""
        reach = self.quantile * sqrt(max(0.0, float(weights @ self.covariance @ weights)))
        value = float(weights @ self.beta)
        return Estimate(value, value - reach, value + reach, self.n, self.method, self.level)

    def ratio(self, index: int, unit: int) -> Estimate | None:
        """The term's effect in units of another term's, with Fieller's interval; None where `unit` may be nothing."""
        return fieller(
            float(self.beta[index]),
            float(self.beta[unit]),
            self.covariance[np.ix_([index, unit], [index, unit])],
            self.quantile,
            self.n,
            self.level,
        )


def fit_binomial(
    counts: np.ndarray,
    games: np.ndarray,
    design: np.ndarray,
    names: tuple[str, ...],
    related: np.ndarray | None = None,
    level: float = 0.95,
) -> Fit:
    """Maximum likelihood of a binomial model of k cells (McCullagh and Nelder 1989, Generalized Linear Models, ch. 4).

    counts, games: (k,) events and games.  design: (k, p) of full rank, p <= k.  related: (k, k) correlations of the
    event between cells on common trials (`relations`), for the robust covariance A⁻¹BA⁻¹ (White 1982, Econometrica
    50:1-25); None: separate trials.  Where cells stray from the model by more than chance, the covariance is
    multiplied by Pearson's X² over its expectation (quasi-likelihood, section 4.5 there).
    Where a cell has no event, or only events, half of each is added to every cell, so that all effects are finite.
    Raises EmptySample without games and ValueError for a design that does not fit.
    Not for games one by one, nor for effects that change with each other (unless a term says so): look at the misfit.
    """
    import statsmodels.api as sm
    from scipy.special import ndtri
    from scipy.stats import chi2
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    check_level(level)
    counts, games = np.asarray(counts, dtype=np.float64), np.asarray(games, dtype=np.float64)
    k, p = design.shape
    if not games.sum() or (games <= 0).any():
        raise EmptySample("binomial model")
    if np.linalg.matrix_rank(design) < p or len(names) != p:
        raise ValueError(f"binomial model: {p} terms cannot be told apart in {k} cells")
    total = int(games.sum())
    if ((counts == 0) | (counts == games)).any():
        counts, games = counts + 0.5, games + 1.0
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        # An exact fit is no fault: half an event keeps every effect finite, and a scale of its own is not asked for.
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        made = sm.GLM(np.column_stack([counts, games - counts]), design, family=sm.families.Binomial())
        result = made.fit(tol=1e-12, scale=1.0)
    fitted = np.clip(np.asarray(result.fittedvalues), 1e-12, 1 - 1e-12)
    weight = games * fitted * (1 - fitted)
    related = np.eye(k) if related is None else related
    spread = np.sqrt(weight)
    bread = np.linalg.inv(design.T @ (weight[:, None] * design))
    meat = design.T @ (np.outer(spread, spread) * related) @ design
    covariance = bread @ meat @ bread
    residuals = (counts - games * fitted) / spread
    misfit, p_value, quantile = 1.0, None, float(ndtri((1 + level) / 2))
    if k > p:
        # Pearson's X² is the quadratic form of the residuals, whose law under the model has covariance M R M.
        root = spread[:, None] * design
        left = np.eye(k) - root @ bread @ root.T
        form = left @ related
        expected, twice = float(np.trace(form)), float(np.trace(form @ form))
        square = float(residuals @ residuals)
        if expected > 1e-9:
            p_value = float(chi2.sf(square * expected / twice, expected * expected / twice))
            misfit = max(1.0, square / expected)
    return Fit(
        names,
        np.asarray(result.params),
        covariance * misfit,
        fitted,
        residuals,
        float(result.deviance),
        k - p,
        misfit,
        p_value,
        total,
        quantile,
        level,
    )


def fieller(
    top: float, bottom: float, covariance: np.ndarray, quantile: float, n: int, level: float = 0.95
) -> Estimate | None:
    """The ratio of two jointly normal estimates with Fieller's interval (1954, J. R. Stat. Soc. B 16:175-185).

    covariance: (2, 2) of (top, bottom).  quantile: of the normal or of Student's t, at `level`.
    None where the interval is unlimited: where `bottom` cannot be told from zero.
    """
    spread = quantile * quantile
    a = bottom * bottom - spread * float(covariance[1, 1])
    b = top * bottom - spread * float(covariance[0, 1])
    c = top * top - spread * float(covariance[0, 0])
    if a <= 0:
        return None
    reach = sqrt(max(0.0, b * b - a * c))
    value = top / bottom
    return Estimate(value, min((b - reach) / a, value), max((b + reach) / a, value), n, "Fieller", level)

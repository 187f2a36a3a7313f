"""Cumulative incidence against statsmodels' Aalen-Johansen estimate, and its bands by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.duration.survfunc import CumIncidenceRight, SurvfuncRight

from analysis.stats import EmptySample, cumulative_incidence, incidence_by_cause, rate

# statsmodels divides by the games left at risk after the last turn: none.
pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in.*:RuntimeWarning:statsmodels")

LAW = np.array([[0.0, 0.05, 0.10, 0.02], [0.10, 0.05, 0.20, 0.08], [0.02, 0.08, 0.10, 0.20]])  # cause × turn, sums to 1


def sample(n, seed):
    """Counts (cause × turn) of n games."""
    return np.random.default_rng(seed).multinomial(n, LAW.ravel()).reshape(LAW.shape)


def unrolled(counts):
    """Time and status (1, 2, …) of every game."""
    cause, turn = np.nonzero(counts)
    times = counts[cause, turn]
    return np.repeat(turn + 1, times), np.repeat(cause + 1, times)


def test_equals_aalen_johansen():
    """Every cause at every turn, 500 games, seed 2: statsmodels CumIncidenceRight to 12 digits."""
    counts = sample(500, 2)
    time, status = unrolled(counts)
    authority = CumIncidenceRight(time, status)
    got = incidence_by_cause({str(i): row for i, row in enumerate(counts)}, 500)
    for i in range(len(counts)):
        at = {int(t): v for t, v in zip(authority.times, authority.cinc[i], strict=True)}
        for turn, value in zip(got[str(i)].x, got[str(i)].value, strict=True):
            if turn in at:
                assert value == pytest.approx(at[turn], abs=1e-12)


def test_pointwise_interval_agrees_with_its_standard_error():
    """Wilson's half-width is within 3 % of 1.96 standard errors of statsmodels for 20,000 games."""
    counts = sample(20_000, 3)
    time, status = unrolled(counts)
    authority = CumIncidenceRight(time, status)
    band = cumulative_incidence(counts[1], 20_000, simultaneous=False)
    half = (band.high - band.low) / 2
    # No standard error in the last turn, when nobody is left at risk.
    np.testing.assert_allclose(half[:-1], 1.96 * authority.cinc_se[1][:-1], rtol=0.03)


def test_one_minus_kaplan_meier_is_too_high():
    """The mistake this module is there to avoid: other endings taken for censoring."""
    counts = sample(20_000, 4)
    time, status = unrolled(counts)
    survival = SurvfuncRight(time, (status == 3).astype(int))
    truth = LAW[2].sum()
    band = cumulative_incidence(counts[2], 20_000)
    assert band.low[-1] < truth < band.high[-1]
    assert 1 - survival.surv_prob[-1] > truth + 0.3


def test_pointwise_is_a_rate():
    """Each point the estimate of `rates`."""
    band = cumulative_incidence(np.array([0, 3, 0, 50]), 200, simultaneous=False)
    for i, count in enumerate((0, 3, 3, 53)):
        one, want = band.at(i), rate(count, 200)
        assert (one.value, one.low, one.high, one.n) == pytest.approx((want.value, want.low, want.high, 200))
    assert not band.simultaneous
    assert list(band.x) == [1, 2, 3, 4]


def test_simultaneous_coverage():
    """3 causes × 4 turns, n = 200, 4,000 runs, seed 5: all 12 points hold in at least 95 % of runs.

    The true level is above 95 % by construction (false alarm below 1e-12 at the 99 % seen).
    Control: the pointwise intervals, taken together, fail."""
    n, runs, truth = 200, 4000, np.cumsum(LAW, axis=1)
    counts = np.random.default_rng(5).multinomial(n, LAW.ravel(), size=runs).reshape(runs, *LAW.shape)
    held = together = 0
    for one in counts:
        bands = incidence_by_cause(dict(enumerate(one)), n)
        held += all((b.low <= truth[i]).all() and (truth[i] <= b.high).all() for i, b in bands.items())
        low, high = zip(*_pointwise(one, n), strict=True)
        together += bool((np.array(low) <= truth).all() and (truth <= np.array(high)).all())
    assert held / runs >= 0.95
    assert together / runs < 0.90


_TABLE: dict[int, tuple[np.ndarray, np.ndarray]] = {}


def _pointwise(one, n):
    from analysis.stats import intervals

    if n not in _TABLE:
        _TABLE[n] = intervals(np.arange(n + 1), n)
    low, high = _TABLE[n]
    return [(low[np.cumsum(row)], high[np.cumsum(row)]) for row in one]


def test_all_causes_together_reach_one():
    """Every game ends: the last points add up to 1, turn limit included."""
    counts = sample(300, 6)
    bands = incidence_by_cause(dict(zip(("won", "lost", "turn_limit"), counts, strict=True)), 300)
    assert sum(band.value[-1] for band in bands.values()) == pytest.approx(1)


def test_corners():
    """No game, one game, an event that never comes, one that always does, more events than games, no turns."""
    with pytest.raises(EmptySample):
        cumulative_incidence(np.array([0]), 0)
    never, always = cumulative_incidence(np.array([0, 0]), 9), cumulative_incidence(np.array([9, 0]), 9)
    assert never.value.tolist() == [0, 0]
    assert always.value.tolist() == [1, 1]
    for band in (never, always, cumulative_incidence(np.array([1]), 1)):
        assert (band.high > band.low).all()
        assert ((band.low >= 0) & (band.high <= 1)).all()
    assert len(cumulative_incidence(np.zeros(0), 9)) == 0
    with pytest.raises(ValueError, match="10 events in 9 games"):
        cumulative_incidence(np.array([5, 5]), 9)
    with pytest.raises(ValueError, match="more endings"):
        incidence_by_cause({"a": np.array([5]), "b": np.array([5])}, 9)

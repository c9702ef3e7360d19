"""Filters and smoothers."""

import numpy as np
import pytest

import costate
from conftest import MOUNT, sweep


@pytest.fixture(scope="module")
def Still():
    return costate.model(MOUNT.replace("outputs {", "initial { x = 0[m], dot(x) = 0[m/s] }\n outputs {"))


@pytest.mark.parametrize("method", ["extended", "unscented", "square_root_unscented"])
def test_parameters_are_followed(Still, measured, method):
    given = {"noise": {"acceleration": 0.05}, "inputs": {"drive": sweep}}
    m = Still(c=95e3)
    filtered = m.filter({"acceleration": measured}, follow=["c"], method=method, **given)
    assert "c" in filtered.names and len(filtered.t) == 4001 and filtered.t[-1] == pytest.approx(2.0)
    assert abs(filtered["c"][-1] - 100e3) < 5 * filtered.deviation("c")[-1]
    assert filtered.deviation("c")[-1] < 0.01 * filtered.deviation("c")[0]
    late = filtered.predicted("acceleration")[2000:] - measured[1][2000:]
    assert np.sqrt(np.mean(late**2)) < 0.1 and "c = " in repr(filtered)
    if method == "extended":
        smoothed = m.filter({"acceleration": measured}, follow={"c": (2e4, 10.0)}, smooth=True, **given)
        assert abs(smoothed["c"][0] - 100e3) < 1e3
    with pytest.raises(costate.DataError, match="travel"):
        filtered.predicted("travel")


@pytest.mark.parametrize(
    "more, text",
    [
        ({"noise": {}}, "acceleration"),
        ({"noise": {"acceleration": 0.0}}, "acceleration"),
        ({"noise": {"acc": 0.1}}, "acc"),
        ({"follow": ["k"]}, "k"),
        ({"follow": {"c": "much"}}, "c"),
        ({"method": "particle"}, "method"),
        ({"inputs": {}}, "drive"),
    ],
)
def test_what_is_refused(Still, measured, more, text):
    with pytest.raises(costate.DataError, match=text):
        Still().filter({"acceleration": measured}, **{"noise": {"acceleration": 0.05}, "inputs": {"drive": sweep}, **more})

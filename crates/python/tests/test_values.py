"""Values of partizan games."""

import itertools
from fractions import Fraction

import pytest

import perfectplay
from perfectplay import Value

SOME = [Value(text) for text in ("0", "1", "-1/2", "*", "*2", "^", "{1|-1}", "{2|-1}", "{1|*}", "{2||1|0}", "^*", "{0||0|-1}")]


def test_operators():
    g, h = Value("{2|-1}"), Value("*")
    assert (str(g + h), str(-g)) == ("{2*|-1*}", "{1|-2}")
    assert g + 1 == 1 + g and g - g == 0 and 1 - g == -(g - 1) and 3 * h == h and +g is g
    assert h < 1 and Value("^") > 0 and not h < 0 and not h > 0 and h != 0 and h.confused(0)
    assert Value(Fraction(1, 2)) + Fraction(1, 2) == 1
    assert (g.mean, g.temperature, g.outcome) == (Fraction(1, 2), Fraction(3, 2), "N")
    assert Value("{3|1}").stops == (3, 1)


def test_laws():
    for g, h in itertools.product(SOME, SOME):
        assert g + h == h + g
        assert (g + h) - h == g
        assert [g < h, g == h, g > h, g.confused(h)].count(True) == 1
        assert (g <= h) == (g < h or g == h) == (h >= g)
        if g == h:
            assert hash(g) == hash(h)
        assert Value(str(g + h)) == g + h
    assert hash(Value("1/2")) == hash(Fraction(1, 2)) and {Value("3"): 1}[3] == 1


def test_loopy_values():
    on = Value("on")
    assert on.loopy and on.outcome is None and on + 1 == on
    assert str(-on) == "off"


def test_values_of_solutions_and_positions():
    assert perfectplay.solve("domineering", rows=2, columns=2).value == Value("{1|-1}")
    assert str(Value("domineering(2, 3) + 2*{1|-1} - toads_and_frogs(2, 1, 2)")) == "{2*|-1/2*}"
    assert perfectplay.value("{2|-1} || 0") is True
    assert perfectplay.value("outcome(^)").startswith("L")


def test_mistakes():
    with pytest.raises(perfectplay.ExpressionError):
        Value("1 + {2|")
    with pytest.raises(perfectplay.UsageError):
        Value("1 < 2")
    with pytest.raises(TypeError):
        Value("1") + "1"
    with pytest.raises(TypeError):
        Value([1])
    assert (Value("1") == "1") is False


def test_pictures():
    assert Value("{1|-1}").thermograph().startswith("<svg")
    assert "<svg" in Value("{1|-1}")._repr_html_()

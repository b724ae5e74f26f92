"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsim.base.text import exit_words, hundredths, plain, signed
from roundsim.base.values import Number

SIGNED = {3.3124: "+3.312", -0.0004: "-0.000", 999_999_999.0: "+999999999.000", 1e9: "+1e9", -1e100: "-1e100"}
PLAIN = {3.3124: "3.312", 0.0: "0.000", 0.0006: "0.001", 0.0004: "0.0004", 0.0000123: "1e-5", 1.2345e17: "1.23e17"}


@given(st.floats(min_value=0, allow_infinity=False), st.integers(0, 4))
def test_only_0_is_printed_as_0_and_nothing_is_long(value: float, digits: int) -> None:
    said = plain(value, digits)
    assert (float(said) == 0) == (value == 0) and len(said) <= 15


def test_numbers_and_ends_of_processes_as_words() -> None:
    assert {each: signed(each) for each in SIGNED} == SIGNED and signed(None) == "-" and signed(1.2345e17) == "+1.23e17"
    assert {each: plain(each) for each in PLAIN} == PLAIN and plain(None) == "-"
    assert [hundredths(each) for each in (0.2949, 0.0, 0.0003, None)] == ["29.5", "0.0", "0.03", "-"]
    words = ["exited with code 0", "exited with code 75", "killed by signal 11 (SIGSEGV)", "killed by signal 99"]
    assert [*map(exit_words, (0, 75, -11, -99))] == words


@pytest.mark.parametrize("value", [-0.1, 1.1, "1", True, None])
def test_a_number_outside_its_range_is_refused(value: object) -> None:
    number = Number(0, 1, "a number from 0 to 1")
    assert number.read(1) == 1.0
    with pytest.raises(ValueError):
        number.read(value)

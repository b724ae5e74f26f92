"""The time that a module may take to load."""

from __future__ import annotations

from time import sleep

from roundsim import loading


def test_sleep_of_its_own_counts_as_time() -> None:
    clock = loading.Awake()
    before = clock.look()
    sleep(0.05)
    assert clock.look() - before >= 0.04


def test_a_module_is_not_late_before_its_time() -> None:
    with loading.not_for_ever():
        assert loading.due and loading.due > loading.waking_clock.look()
    assert loading.due is None

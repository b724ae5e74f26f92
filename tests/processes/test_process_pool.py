"""Processes that work for us again and again."""

from __future__ import annotations

import os
import signal
from functools import partial
from multiprocessing import active_children
from operator import call, neg

from roundsim.processes.pool import ProcessPool


def test_a_pool_keeps_its_processes_and_takes_other_functions() -> None:
    with ProcessPool(2) as pool:
        workers = {process.pid for process in active_children()}
        for _ in range(2):
            assert {*pool.as_ready(call, [os.getpid] * 20)} <= workers
            assert [*pool.in_order(neg, range(20))] == [-number for number in range(20)]
        assert {process.pid for process in active_children()} == workers
        victim = partial(os.kill, min(filter(None, workers)), signal.SIGKILL)
        assert [*pool.as_ready(call, [victim])] == [None]
        assert [*pool.in_order(neg, range(20))] == [-number for number in range(20)]


def test_one_job_is_done_here() -> None:
    with ProcessPool(1) as pool:
        assert [*pool.as_ready(call, [os.getpid] * 2)] == [os.getpid()] * 2

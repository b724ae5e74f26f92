"""The number of processes is that of the processors which the process may use, in a container too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Shell

from roundsim.processes import start
from roundsim.processes.start import cores

V1, DEEP = "4:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n", "0::/a/b\n"
CGROUPS: list[
    tuple[str, dict[str, str], int]
] = [  # what a process is in, the files, and of 8 processors how many are left
    ("0::/\n", {"cpu.max": "max 100000"}, 8),
    ("0::/\n", {"cpu.max": "200000 100000"}, 2),
    ("0::/\n", {"cpu.max": "250000 100000"}, 3),
    ("0::/\n", {"cpu.max": "20000 100000"}, 1),
    ("0::/\n", {"cpu.max": "9900000 100000"}, 8),
    ("0::/\n", {"cpu.max": "0 0 0"}, 8),
    (DEEP, {"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000", "cpu.max": "400000 100000"}, 3),
    ("0::/../../elsewhere\n", {"cpu.max": "200000 100000"}, 2),
    (V1, {"cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "150000", "cpu,cpuacct/docker/abc/cpu.cfs_period_us": "50000"}, 3),
    (V1, {"cpu,cpuacct/cpu.cfs_quota_us": "200000", "cpu,cpuacct/cpu.cfs_period_us": "100000"}, 2),
    (V1, {"cpu,cpuacct/cpu.cfs_quota_us": "-1", "cpu,cpuacct/cpu.cfs_period_us": "100000"}, 8),
    ("", {}, 8),
]


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with eight processors, whose files are here."""
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr("os.process_cpu_count", lambda: 8, raising=False)
    monkeypatch.delenv("PYTHON_CPU_COUNT", raising=False)
    monkeypatch.setattr(start, "ROOT", tmp_path)
    return tmp_path


def test_a_container_has_its_quota(eight: Path) -> None:
    for member, files, left in CGROUPS:
        for name, text in {
            "proc/self/cgroup": member,
            **{f"sys/fs/cgroup/{each}": files[each] for each in files},
        }.items():
            (eight / name).parent.mkdir(parents=True, exist_ok=True)
            (eight / name).write_text(f"{text}\n" if "cgroup/" in name else text)
        assert cores() == left, files
        shutil.rmtree(eight / "sys", ignore_errors=True)


def test_python_has_its_own_limit(eight: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    assert cores() == 8
    for count, left in (("3", 3), ("9", 8), ("default", 8), ("0", 1)):
        monkeypatch.setenv("PYTHON_CPU_COUNT", count)
        assert cores() == left
    monkeypatch.setenv("PYTHON_CPU_COUNT", "1")
    assert " · 1 process · " in shell("play", "nap", "random", "random", "--deals", 4, "--dry-run").out

"""The line of conditions below a table: all that its figures depend on."""

from __future__ import annotations

import platform
import textwrap
from importlib.metadata import version
from sysconfig import get_config_var, get_config_vars

from roundsim.base.text import WIDTH
from roundsim.native import describe_build

DEBIAN = "/usr/share/python-wheels/"  # only packages of Debian and its descendants are built with this folder


def conditions(*more: str) -> str:
    """Return the line of conditions: which Python and roundsim ran, and what else counts."""
    ours = f"roundsim {version('roundsim')}, {describe_build()}"
    return textwrap.fill(f"{'; '.join([python_build(), ours, *filter(None, more)])}.", WIDTH)


def python_build() -> str:
    """Return which Python runs this, and whether it was built with profile-guided optimization (PGO).

    The flags of the build tell. Debian's packages are built with PGO, but their flags do not tell."""
    flags = get_config_vars("CONFIG_ARGS", "PY_CFLAGS", "PY_CFLAGS_NODIST", "PY_CORE_CFLAGS")
    recorded = any(flag in str(each) for flag in ("--enable-optimizations", "-fprofile-use") for each in flags)
    debian = get_config_var("WHEEL_PKG_DIR") == DEBIAN
    how = "with PGO" if recorded else "with PGO, as Debian's packages are" if debian else "without PGO"
    return f"{platform.python_implementation()} {platform.python_version()}, built {how}"

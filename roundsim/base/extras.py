"""How to install an extra of roundsim, with the command that fits how this one was installed."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .errors import PluginError

PACKAGE = Path(__file__).parents[1]


def without_extra(what: str, module: str, error: ImportError, extra: str) -> PluginError:
    """Return the error that something needs a module of an extra: "--workers dask:// needs distributed (...): pip
    install ..."."""
    return PluginError(f"{what} needs {module} ({error}): {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this installation: from the checkout or the commit that it was installed
    from, if it was, otherwise by its name."""
    return f"{pip()} install {requirement(extra)}"


def pip() -> str:
    """Return how to call the pip of this Python."""
    on_path = shutil.which("pip")
    if on_path and Path(on_path).parent == Path(sys.executable).parent:
        return "pip"
    return f"{shlex.quote(path_from_here(Path(sys.executable)))} -m pip"


def requirement(extra: str) -> str:
    folder = PACKAGE.parent
    if (folder / "pyproject.toml").exists():
        return f"-e {shlex.quote(f'{path_from_here(folder)}[{extra}]')}"
    origin = json.loads(recorded_origin())
    address = urlsplit(str(origin.get("url", "")))
    if "dir_info" in origin and (folder := Path(unquote(address.path))).is_dir():
        return shlex.quote(f"{path_from_here(folder)}[{extra}]")
    if commit := origin.get("vcs_info"):
        return shlex.quote(f"roundsim[{extra}] @ {commit['vcs']}+{origin['url']}@{commit['commit_id']}")
    return f"'roundsim[{extra}]'"


def recorded_origin() -> str:
    """Return what pip has recorded of where it got this package, by PEP 610, as JSON; "{}" if that was an index."""
    from importlib import metadata  # only for a message

    packages = metadata.distributions(name="roundsim", path=[str(PACKAGE.parent)])
    return next((text for package in packages if (text := package.read_text("direct_url.json"))), "{}")


def path_from_here(path: Path) -> str:
    """Return a path as a user of the current folder writes it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative if relative == "." else f"./{relative}"

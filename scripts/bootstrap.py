"""Find a Python this project runs on and keep `.venv` in step with what it needs.

This module and dev.py are all that runs outside `.venv`: standard library only, Python 3.9 on.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "astrbot_plugin_tidemark"
OLDEST = (3, 12)
_NAMES = ("python3.12", "python3.13", "python3.14", "python3", "python")
_PROBE = "import sys, ensurepip, venv; print(*sys.version_info[:2])"
_STAMP = "tidemark-stamp"
UNREACHABLE = re.compile(
    r".*(name resolution|NameResolutionError|NewConnectionError|ConnectTimeoutError"
    r"|ReadTimeoutError|ProxyError|SSLError|Network is unreachable"
    r"|Connection refused|Could not connect).*"
)
_NO_NETWORK = """
The package index could not be reached. The first start, and one after a change of what is needed,
take their packages from there: connect, or name a mirror or proxy to pip ("pip config"), and run
this again. After that no network is needed."""
_UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}


class NoUsablePython(Exception):
    """No interpreter found can make the environment; the text says what was tried."""


class InstallFailed(Exception):
    """pip or venv reported a failure; the text has its output."""


def candidates(search_path: str, pyenv_root: Path) -> Iterator[Path]:
    """Interpreters worth asking: those on the search path by name, then pyenv's versions."""
    folders = [Path(part) for part in search_path.split(os.pathsep) if part]
    for name in _NAMES:
        for folder in folders:
            if (folder / name).exists():
                yield folder / name
    yield from sorted(pyenv_root.glob("versions/*/bin/python"), key=_by_version)


def _by_version(python: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in python.parent.parent.name.split(".") if part.isdigit())


def unfit(python: Path) -> str | None:
    """Why this interpreter cannot be used, or None. It is run: a pyenv shim may only refuse."""
    try:
        done = subprocess.run(
            [str(python), "-c", _PROBE], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return lines[-1] if lines and "Error" in lines[-1] else " ".join(lines[:1]) or "refused"
    version = tuple(int(part) for part in done.stdout.split())
    return None if version >= OLDEST else "is Python {}.{}".format(*version)


def find_python(among: Iterable[Path]) -> Path:
    """The first usable one. Raises NoUsablePython naming every one tried and its reason."""
    tried: dict[Path, str] = {}
    for python in among:
        if python in tried:
            continue
        reason = unfit(python)
        if reason is None:
            return python
        tried[python] = reason
    wanted = "Python {}.{} or later, with venv and ensurepip, is needed.".format(*OLDEST)
    lines = [f"  {python}: {reason}" for python, reason in tried.items()]
    raise NoUsablePython("\n".join([wanted, *(["Tried:"] if lines else []), *lines]))


def ensure_environment(root: Path = ROOT) -> Path:
    """The interpreter of `.venv`, which is made (again) if it is absent or does not run."""
    venv = root / ".venv"
    python = venv / "bin" / "python"
    if unfit(python) is None:
        return python
    pyenv_root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    base = find_python(candidates(os.environ.get("PATH", ""), pyenv_root))
    print(f"Making {venv} with {base}", flush=True)
    _run([str(base), "-m", "venv", "--clear", str(venv)])
    return python


def inside_environment(root: Path = ROOT) -> bool:
    """Whether this process already runs in `.venv`."""
    return Path(sys.prefix).resolve() == (root / ".venv").resolve()


def needs(root: Path = ROOT) -> list[str]:
    """Requirements of the plugin and of its development. Needs Python 3.11's tomllib."""
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    requirements = root / "requirements.txt"
    lines = requirements.read_text("utf-8").splitlines() if requirements.exists() else []
    run_time = [line.split(" #")[0].strip() for line in lines]
    development = project["dependency-groups"]["dev"]
    return [need for need in run_time if need and not need.startswith("#")] + development


def stamp(wanted: Sequence[str], python_version: str) -> str:
    """Identifies an environment's contents: same stamp, nothing to install."""
    text = "\n".join([python_version, *sorted(wanted)])
    return hashlib.sha256(text.encode()).hexdigest()


def synchronise(root: Path = ROOT) -> bool:
    """Install what is missing into this environment; False if its stamp was current."""
    wanted = needs(root)
    current = stamp(wanted, sys.version)
    file = Path(sys.prefix) / _STAMP
    if file.exists() and file.read_text("ascii") == current:
        return False
    print("Installing AstrBot and the plugin's needs (about a minute the first time)", flush=True)
    _install(wanted)
    file.write_text(current, "ascii")
    return True


def _install(wanted: Sequence[str]) -> None:
    """With uv, many times quicker than pip; with pip where uv cannot be had or does not manage."""
    try:
        _pip("--retries", "1", "install", "uv")
        settings = uv_settings(pip_settings())
        uv = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
        _run([*uv, *wanted], {**settings, **os.environ})
    except InstallFailed:
        print("That is not possible with uv: with pip it takes some minutes", flush=True)
        _pip("install", *wanted)


def pip_settings() -> str:
    """What "pip config list" says. Raises InstallFailed."""
    return _pip("config", "list")


def _pip(*arguments: str) -> str:
    return _run([sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments])


def uv_settings(listed: str) -> dict[str, str]:
    """Environment for uv, which does not read pip's settings, from what "pip config list" says.

    pip takes the best version of all its indexes, and so shall uv. The environment's setting goes
    before the install command's, and that before the general one.
    """
    found: dict[str, str] = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for section in ("global", "install", ":env:"):
        for key, name in _UV_NAMES.items():
            line = re.search(rf"^{section}\.{key}='(.+)'$", listed, re.M)
            if line is not None:
                separator = "," if key == "find-links" else " "
                found[name] = separator.join(line.group(1).replace("\\n", " ").split())
    return found


def mount(root: Path = ROOT) -> None:
    """Make the checkout importable under the plugin's name; nothing needs installing."""
    if PACKAGE not in sys.modules:
        spec = ModuleSpec(PACKAGE, None, is_package=True)
        spec.submodule_search_locations = [str(root)]
        sys.modules[PACKAGE] = module_from_spec(spec)


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Its output, which nobody sees unless it fails. Raises InstallFailed."""
    done = subprocess.run(
        list(command),
        capture_output=True,
        text=True,
        errors="replace",
        env=environment,
        check=False,
    )
    if done.returncode == 0:
        return done.stdout
    said = f"{done.stdout}{done.stderr}".strip()
    unreachable = UNREACHABLE.search(said)
    shown = said if unreachable is None else unreachable.group() + _NO_NETWORK
    raise InstallFailed(f"{shown}\nfailed: {' '.join(command[:6])}")

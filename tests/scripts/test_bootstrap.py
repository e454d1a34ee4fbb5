"""The search for a usable Python, and when the environment is renewed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import bootstrap

ROOT = Path(__file__).resolve().parents[2]


def interpreter(path: Path, script: str) -> Path:
    """An executable that behaves as the shell `script` says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def working(path: Path, version: str = "3 12") -> Path:
    return interpreter(path, f"echo {version}")


REFUSAL = "echo 'pyenv: python3.12: command not found' >&2\nexit 127"


def test_this_interpreter_is_fit_and_an_environment_that_runs_is_reused(tmp_path: Path) -> None:
    assert bootstrap.unfit(Path(sys.executable)) is None
    python = working(tmp_path / ".venv" / "bin" / "python")
    assert bootstrap.ensure_environment(tmp_path) == python


def test_no_usable_python_names_every_one_tried_and_why(tmp_path: Path) -> None:
    shim = interpreter(tmp_path / "shims" / "python3.12", REFUSAL)
    old = working(tmp_path / "bin" / "python3", "3 9")
    with pytest.raises(bootstrap.NoUsablePython) as refused:
        bootstrap.find_python([shim, old, shim])
    assert str(refused.value).splitlines() == [
        "Python 3.12 or later, with venv and ensurepip, is needed.",
        "Tried:",
        f"  {shim}: pyenv: python3.12: command not found",
        f"  {old}: is Python 3.9",
    ]


def project(root: Path, requirements: str | None = "networkx>=3\n") -> Path:
    (root / "pyproject.toml").write_text('[dependency-groups]\ndev = ["astrbot>=4.24", "pytest"]\n')
    if requirements is not None:
        (root / "requirements.txt").write_text(requirements)
    return root


def test_the_stamp_depends_on_what_is_needed(tmp_path: Path) -> None:
    text = "# what the host does not bring\nnetworkx>=3  # graphs\n\n"
    assert bootstrap.needs(project(tmp_path, text)) == ["networkx>=3", "astrbot>=4.24", "pytest"]
    stamp = bootstrap.stamp(["a", "b"], "3.12.1")
    assert bootstrap.stamp(["b", "a"], "3.12.1") == stamp
    assert bootstrap.stamp(["a", "b"], "3.13.0") != stamp
    assert bootstrap.stamp(["a", "b>=2"], "3.12.1") != stamp


FULL = "networkx>=3 astrbot>=4.24 pytest"
NO_UV = 'case "$*" in *"install uv") exit 1;; esac'


def pretend(monkeypatch: pytest.MonkeyPatch, prefix: Path, behaviour: str = "exit 0") -> None:
    """Let this process believe it runs in `prefix`, whose Python records what it is asked for."""
    python = interpreter(prefix / "python", f'echo "$@" >> "{prefix}/calls"\n{behaviour}')
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", str(python))


def installs(prefix: Path, tool: str = "uv pip") -> int:
    calls = prefix / "calls"
    lines = calls.read_text().splitlines() if calls.exists() else []
    return sum(line.startswith(f"-m {tool}") and "pytest" in line for line in lines)


def test_an_environment_is_installed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = tmp_path / "venv"
    pretend(monkeypatch, prefix)
    assert bootstrap.synchronise(project(tmp_path)) is True
    assert bootstrap.synchronise(tmp_path) is False
    assert installs(prefix) == 1


def test_a_failed_install_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = tmp_path / "venv"
    pretend(monkeypatch, prefix, "exit 1")
    for _ in range(2):
        with pytest.raises(bootstrap.InstallFailed):
            bootstrap.synchronise(project(tmp_path))
    assert installs(prefix, "pip") == 2


def test_uv_installs_everything_and_a_new_requirement_renews_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "venv"
    pretend(monkeypatch, prefix)
    bootstrap.synchronise(project(tmp_path))
    calls = (prefix / "calls").read_text().splitlines()
    assert calls[0].startswith("-m pip ")
    assert calls[0].endswith(" install uv")
    assert calls[-1] == f"-m uv pip install --python {sys.executable} {FULL}"
    assert installs(prefix, "pip") == 0
    bootstrap.synchronise(project(tmp_path, "networkx>=4\n"))
    assert installs(prefix) == 2
    assert "networkx>=4" in (prefix / "calls").read_text()


@pytest.mark.parametrize("no_uv", [NO_UV, '[ "$2" = uv ] && exit 2'], ids=["absent", "fails"])
def test_pip_installs_everything_where_uv_cannot_be_had_or_fails(
    no_uv: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "venv"
    pretend(monkeypatch, prefix, f"{no_uv}\nexit 0")
    assert bootstrap.synchronise(project(tmp_path)) is True
    assert installs(prefix, "pip") == 1
    assert bootstrap.synchronise(tmp_path) is False


@pytest.mark.parametrize(
    "said",
    [
        "NameResolutionError(\"Failed to resolve 'pypi.org'\")",
        "ConnectTimeoutError(...)",
        "[Errno 101] Network is unreachable",
        "Cannot connect to proxy: ProxyError",
    ],
)
def test_no_network_is_told(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = tmp_path / "venv"
    (tmp_path / "said").write_text(f"Collecting\n{said}\nERROR: No matching distribution found")
    pretend(monkeypatch, prefix, f'cat "{tmp_path}/said" >&2; exit 1')
    with pytest.raises(bootstrap.InstallFailed) as failed:
        bootstrap.synchronise(project(tmp_path))
    assert str(failed.value).startswith(f"{said}\nThe package index could not be reached.")
    assert "No matching" not in str(failed.value)


def test_uv_is_given_the_indexes_that_pip_was_told_of() -> None:
    listed = (
        ":env:.index-url='https://mirror.example/simple'\n"
        "global.extra-index-url='\\nhttps://a.example/s\\nhttps://b.example/s'\n"
        "global.find-links='/one /two'\n"
        "global.index-url='https://passed-over.example/simple'\n"
        "install.cert='/etc/ca.pem'\n"
        "user.name='no setting of ours'\n"
    )
    assert bootstrap.uv_settings(listed) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://a.example/s https://b.example/s",
        "UV_FIND_LINKS": "/one,/two",
        "SSL_CERT_FILE": "/etc/ca.pem",
    }


def test_a_broken_environment_is_remade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreter(tmp_path / ".venv" / "bin" / "python", "exit 1")
    record = f'if [ "$1" = -m ]; then echo "$@" > "{tmp_path}/made"; else echo 3 12; fi'
    interpreter(tmp_path / "bin" / "python3.12", record)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    bootstrap.ensure_environment(tmp_path)
    assert (tmp_path / "made").read_text().split() == ["-m", "venv", "--clear", f"{tmp_path}/.venv"]


def test_a_machine_without_a_usable_python_gets_a_message_and_no_traceback(tmp_path: Path) -> None:
    copy = tmp_path / "scripts"
    copy.mkdir()
    for name in ("dev.py", "bootstrap.py"):
        (copy / name).write_text((ROOT / "scripts" / name).read_text("utf-8"), "utf-8")
    done = subprocess.run(
        [sys.executable, str(copy / "dev.py"), "clock"],
        env={"PATH": str(tmp_path), "PYENV_ROOT": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Python 3.12 or later")


@pytest.mark.parametrize("module", ["dev.py", "bootstrap.py"])
def test_what_runs_outside_the_environment_parses_as_python_3_9(module: str) -> None:
    source = (ROOT / "scripts" / module).read_text("utf-8")
    ast.parse(source, module, feature_version=(3, 9))

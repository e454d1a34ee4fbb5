"""The zip that is published."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import package
from astrbot_plugin_tidemark.scripts.bootstrap import PACKAGE, ROOT


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package.package(tmp_path_factory.mktemp("packed"))


def test_it_holds_what_runs_and_nothing_else(packed: Path) -> None:
    with zipfile.ZipFile(packed) as found:
        names = found.namelist()
        assert found.testzip() is None
    tops = {name.split("/")[1] for name in names}
    assert all(name.startswith(f"{PACKAGE}/") for name in names)
    assert tops <= {*package.FILES, *package.FOLDERS}
    assert {"main.py", "metadata.yaml", "logo.png", "core", ".astrbot-plugin"} <= tops
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]


def test_it_is_small_and_the_same_files_make_the_same_zip(packed: Path, tmp_path: Path) -> None:
    assert packed.stat().st_size <= 3 << 20
    assert package.package(tmp_path).read_bytes() == packed.read_bytes()


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("metadata.yaml", "name: x\ndesc: y\nversion: '1'\nauthor: z\n", "the name is x"),
        ("metadata.yaml", f"name: {PACKAGE}\n", "missing: desc, version, author"),
        ("requirements.txt", "requests>=2\n", "requests"),
    ],
)
def test_what_the_market_refuses_is_out(tmp_path: Path, file: str, text: str, problem: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for name in package.FILES:
        shutil.copy(ROOT / name, root / name)
    (root / file).write_text(text, "utf-8")
    with pytest.raises(package.NotPublishable, match=problem):
        package.package(tmp_path, root)


def test_an_installation_by_repository_downloads_what_runs_and_little_else(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no repository")
    file = tmp_path / "archive.zip"
    done = subprocess.run(
        ["git", "archive", "--format=zip", "-o", str(file), "HEAD"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"git archives nothing here: {done.stderr.decode('utf-8', 'replace')}")
    with zipfile.ZipFile(file) as found:
        tops = {name.split("/")[0] for name in found.namelist()}
    assert tops == {*package.FILES, *package.FOLDERS}
    assert file.stat().st_size <= 2_000_000

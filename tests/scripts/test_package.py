"""The zip that is published, and the logo in it."""

import shutil
import struct
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.scripts import logo, package
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


def test_it_is_small(packed: Path) -> None:
    assert packed.stat().st_size <= 3 << 20


def test_the_same_files_make_the_same_zip(packed: Path, tmp_path: Path) -> None:
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


def test_the_logo_is_what_its_script_draws() -> None:
    drawn, kept = logo.picture(), (ROOT / "logo.png").read_bytes()
    assert struct.unpack(">II", kept[16:24]) == (256, 256)
    start = kept.index(b"IDAT") + 4
    [size] = struct.unpack(">I", kept[start - 8 : start - 4])
    lines = zlib.decompress(kept[start : start + size])
    assert lines == b"".join(b"\0" + row.tobytes() for row in drawn)


def test_the_logo_can_be_told_at_32_pixels() -> None:
    drawn = logo.picture()[..., :3].astype(float)
    small = drawn.reshape(32, 8, 32, 8, 3).mean(axis=(1, 3))
    night, moon, wave, foam = small[4, 16], small[11, 16], small[18, 16], small[29, 16]
    shapes = (night, moon, wave, foam)
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            assert abs(one - other).max() > 20


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

"""Sets are fetched at one commit and checked, here from a repository on this disk."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.benchmarks.comparing.download import Source, digest_of, download
from astrbot_plugin_tidemark.benchmarks.datasets.reading import NoData


def git(folder: Path, *arguments: str) -> str:
    own = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    done = ["git", "-C", str(folder), *own, *arguments]
    return subprocess.run(done, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A repository of two commits, of which the first is wanted."""
    made = tmp_path / "made"
    wanted = made / "chats" / "a"
    wanted.mkdir(parents=True)
    (wanted / "chat.json").write_text("[1]", "utf-8")
    (made / "LICENSE").write_text("Made-up Licence\n\nAll of it.", "utf-8")
    (made / "code.py").write_text("1", "utf-8")
    git(made, "init", "--quiet")
    git(made, "add", ".")
    git(made, "commit", "--quiet", "-m", "first")
    digest, commit = digest_of(made / "chats"), git(made, "rev-parse", "HEAD")
    (wanted / "chat.json").write_text("[2]", "utf-8")
    git(made, "commit", "--quiet", "-am", "second")
    return Source("sets", made.as_uri(), commit, "chats", "made up", digest)


def test_the_pinned_commit_comes_with_its_licence_and_nothing_else(
    source: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    folder = download(source, data)
    assert (folder / "chats" / "a" / "chat.json").read_text("utf-8") == "[1]"
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", "chats"]
    told = capsys.readouterr().err
    assert "made up" in told
    assert "LICENSE: Made-up Licence" in told
    (folder / "chats" / "a" / "chat.json").write_text("mine", "utf-8")
    assert download(source, data) == folder
    assert (folder / "chats" / "a" / "chat.json").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "wrong",
    [{"digest": "0" * 64}, {"commit": "1" * 40}, {"wanted": "nothing"}, {"url": "file:///none"}],
)
def test_what_is_not_what_it_should_be_is_refused_and_leaves_nothing(
    source: Source, tmp_path: Path, wrong: dict[str, str]
) -> None:
    data = tmp_path / "data"
    with pytest.raises(NoData):
        download(replace(source, **wrong), data)
    assert list(data.iterdir()) == []


def test_a_file_that_is_kept_outside_of_git_is_checked_by_its_digest(tmp_path: Path) -> None:
    commit, made = "2" * 40, tmp_path / "made"
    (made / "resolve" / commit).mkdir(parents=True)
    (made / "resolve" / commit / "all.jsonl").write_text("{}", "utf-8")
    digest = digest_of(made / "resolve" / commit / "all.jsonl")
    source = Source("set", made.as_uri(), commit, "all.jsonl", "made up", digest, outside=True)
    for wrong in ({"digest": "0" * 64}, {"commit": "1" * 40}):
        with pytest.raises(NoData):
            download(replace(source, **wrong), tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
    folder = download(source, tmp_path / "data")
    assert [path.read_text("utf-8") for path in folder.iterdir()] == ["{}"]

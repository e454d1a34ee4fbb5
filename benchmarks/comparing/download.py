"""Published sets fetched from where their makers keep them by git, each at one commit."""

import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..command import progress
from ..datasets.reading import NoData


@dataclass(frozen=True, slots=True)
class Source:
    """A repository at a commit, and which of its files are wanted.

    `digest` is `digest_of` the wanted files; "" where nobody has noted it yet: then the commit
    alone, which is git's own digest of them, says that they are the right ones. `licence` is what
    the makers say of theirs. `outside`: git has but a pointer to the one that is wanted, so that
    it is fetched by itself from `url`/resolve/`commit`.
    """

    folder: str
    url: str
    commit: str
    wanted: str
    licence: str
    digest: str = ""
    outside: bool = False


PUBLISHED: Mapping[str, Source] = {
    "beam": Source(
        "beam",
        "https://github.com/mohammadtavakoli78/BEAM",
        "5a64c992ba05b489b891221b7bcb6b763493dde5",
        "chats/100K",
        "see its README",
    ),
    "memdaily": Source(
        "memdaily",
        "https://github.com/nuster1128/MemSim",
        "684e7ad94b9334f47a5f28a732576d6eea2dbf2f",
        "data_generation/final_dataset/messages_and_QAs",
        "see its README",
    ),
    "precision": Source(
        "precisionmembench",
        "https://github.com/tenurehq/precisionMemBench",
        "63f19c1a95602f919398ea11464a702e8400d939",
        "fixtures",
        "MIT",
    ),
    "halumem": Source(
        "halumem",
        "https://huggingface.co/datasets/IAAR-Shanghai/HaluMem",
        "cb04336aa1b732d4b24f5186c552456b4099806e",
        "HaluMem-Medium.jsonl",
        "CC BY-NC-ND 4.0",
        "486fbc130a5c8781a2af27ffa508a1d7855245137aa449c193ac4d29c45634e7",
        outside=True,
    ),
}
"""By the set that is read from it."""


def download(source: Source, data: Path) -> Path:
    """Into a folder of `data`, unless it is there already. Returns the folder.

    Raises NoData if it cannot be had or is not what it should be; nothing is left then.
    """
    target = data / source.folder
    if target.exists():
        progress(f"{target} is there already and stays as it is")
        return target
    progress(f"{source.url}, commit {source.commit}")
    arriving = target.with_name(f"{target.name}.arriving")
    shutil.rmtree(arriving, ignore_errors=True)
    arriving.mkdir(parents=True)
    try:
        (_fetch_alone if source.outside else _fetch)(source, arriving)
        found = digest_of(arriving / source.wanted)
        if source.digest and found != source.digest:
            raise NoData(f"{source.url}: the files' digest is {found}, not {source.digest}")
        progress(f"{source.wanted}: {found}")
        for line in _licence(source, arriving):
            progress(line)
        shutil.rmtree(arriving / ".git", ignore_errors=True)
        arriving.replace(target)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)
    return target


def digest_of(folder: Path) -> str:
    """SHA-256 of the files below the folder: of each its path and its own digest, by their paths.

    Of a single file its own. Raises NoData without files.
    """
    if folder.is_file():
        return sha256(folder.read_bytes()).hexdigest()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise NoData(f"{folder.name} has no files")
    total = sha256()
    for path in files:
        own = sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(folder).as_posix()}\0{own}\n".encode())
    return total.hexdigest()


def _fetch(source: Source, folder: Path) -> None:
    _git(folder, "init", "--quiet")
    # A transfer is checked object by object: what arrives is what the commit names.
    _git(folder, "config", "transfer.fsckObjects", "true")
    _git(folder, "sparse-checkout", "set", "--no-cone", f"/{source.wanted}", "/LICEN*", "/README*")
    _git(folder, "fetch", "--quiet", "--depth", "1", source.url, source.commit)
    _git(folder, "-c", "advice.detachedHead=false", "checkout", "--quiet", source.commit)


def _fetch_alone(source: Source, folder: Path) -> None:
    address = f"{source.url}/resolve/{source.commit}/{source.wanted}"
    try:
        with (
            urllib.request.urlopen(address, timeout=60) as told,
            (folder / source.wanted).open("wb") as file,
        ):
            shutil.copyfileobj(told, file)
    except OSError as error:
        raise NoData(f"{address}: {error}") from error


def _licence(source: Source, folder: Path) -> Iterator[str]:
    yield f"licence: {source.licence}; the files are for measuring here, not for passing on"
    for path in sorted(folder.glob("LICEN*")):
        beginning = path.read_text("utf-8", errors="replace").split("\n", 1)[0]
        yield f"{path.name}: {beginning.strip()}"


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=3_600,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoData(f"git {arguments[0]}: {error}") from error
    if done.returncode:
        raise NoData(f"git {arguments[0]}: {' '.join(done.stderr.split())[-300:]}")
    return done.stdout

"""What the pages name exists: files, settings, commands, modules, classes and functions."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.commands.chat.catalogue import COMMANDS
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.settings import ENTRIES
from astrbot_plugin_tidemark.scripts import dev

from .test_architecture import FLOORS
from .test_domain_docs import paths

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = ("core", "storage", "commands", "scripts", "benchmarks")
TOP = {*SOURCES, "tests", "docs", ".astrbot-plugin", ".ci"}

SETTINGS = {entry.name for entry in ENTRIES}
GROUPS = {name.partition(".")[0] for name in SETTINGS}
RECORD = {name.replace("[]", "") for name in paths(Memory)}
SUBCOMMANDS = {command.name for command in COMMANDS}
TASKS = re.findall(r"\w+", re.findall(r"\{([\w,]+)\}", dev.parser().format_usage())[0])
ROOMS = sorted(folder.parent.name for folder in (ROOT / "core").glob("*/__init__.py"))

OF_OTHERS = {
    *("Authorization", "CancelledError", "X-Chroma-Token", "secure_delete", "SSL_CERT_FILE"),
    *("provider_ltm_settings", "group_message_history_enable", "unified_msg_origin"),
    *("future_task", "GROUP_ADMIN"),
}
"""Names of Python's, of the host, of Chroma, SQLite and of protocols."""

_FENCE = re.compile(r"^```.*$", re.M)
_FENCED = re.compile(r"^```.*?^```$|(?:^ {4}[^\n]*\n)+", re.S | re.M)
_SPAN = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
_COMMAND = re.compile(r"/memory ([a-z][a-z-]*)")
_MODULE = re.compile(r"-m ((?:benchmarks|scripts)\.\w+)")
_DEV = re.compile(r"(?:scripts/|`)dev\.py ([a-z]+)")
_MAKE = re.compile(r"`make ([\w-]+)")
_IN_ROOM = re.compile(rf"(?<![\w/.-])(?:core|{'|'.join(ROOMS)})/[a-z_][\w/]+(?:\.\w+)?")


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module of the repository but the tests, by its path."""
    paths = [ROOT / "main.py", *(p for s in SOURCES for p in (ROOT / s).rglob("*.py"))]
    return {path.relative_to(ROOT): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def words() -> frozenset[str]:
    """Every word of the sources, of the form, and of the tests that pages are about."""
    files = [ROOT / path for path in trees()]
    files += [ROOT / "_conf_schema.json", ROOT / "metadata.yaml"]
    files += [ROOT / "tests" / name for name in ("test_architecture.py", "test_domain_docs.py")]
    return frozenset(word for f in files for word in re.findall(r"\w+", f.read_text("utf-8")))


@cache
def quoted() -> frozenset[str]:
    """Names of files and the like, as the sources have them in quotation marks."""
    texts = ((ROOT / path).read_text("utf-8") for path in trees())
    return frozenset(name for text in texts for name in re.findall(r'"[\w.]+"', text))


@cache
def members() -> dict[str, set[str]]:
    """What each class has, with what its bases in the repository have; by the class's name."""
    found: dict[str, set[str]] = {}
    bases: dict[str, set[str]] = {}
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(defined(node.body))
                bases.setdefault(node.name, set()).update(map(ast.unparse, node.bases))
    for name in found:
        waiting = list(bases[name])
        while waiting:
            base = waiting.pop()
            found[name] |= found.get(base, set())
            waiting += bases.get(base, ())
    return found


@cache
def tops() -> dict[str, set[str]]:
    """What the modules of each name define; a package has its modules."""
    found: dict[str, set[str]] = {}
    for path, tree in trees().items():
        inside = path.parent if path.name == "__init__.py" else path.with_suffix("")
        found.setdefault(inside.name, set()).update(within(tree))
        found.setdefault(path.parent.name, set()).add(path.stem)
    return found


def defined(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
                yield ast.unparse(target)
            case ast.TypeAlias(name=target):
                yield target.id
            case _:
                pass


def within(module: ast.Module) -> set[str]:
    """All that a module defines, and its classes."""
    classes = [node.body for node in module.body if isinstance(node, ast.ClassDef)]
    return {name for body in (module.body, *classes) for name in defined(body)}


def missing(text: str) -> list[str]:
    """What a page names that does not exist."""
    gone = [f"/memory {name}" for name in _COMMAND.findall(text) if name not in SUBCOMMANDS]
    gone += [f"dev.py {name}" for name in _DEV.findall(text) if name not in TASKS]
    gone += [f"make {name}" for name in _MAKE.findall(text)]
    gone += [name for name in _MODULE.findall(text) if not _is_file(name.replace(".", "/"))]
    # What stands beside a fence is the file that a recipe makes.
    shown = [_FENCE.sub("", code) for code in _FENCED.findall(text)]
    drawn = [name for code in shown for name in _IN_ROOM.findall(code)]
    gone += [name for name in drawn if not _in_room(name)]
    return gone + [span for span in _SPAN.findall(_FENCED.sub("", text)) if not known(span)]


def known(span: str) -> bool:
    """Whether what stands between backticks exists, or is not a name of anything here."""
    name = span.partition("(")[0]
    if span in OF_OTHERS or not set(span.split(".")).isdisjoint(OF_OTHERS):
        return True
    if name.endswith(".py") or (name.partition("/")[0] in TOP and "/" in name):
        return not _PATH.fullmatch(name) or _exists(name)
    if not _NAME.fullmatch(name):
        return True
    head, _, rest = name.partition(".")
    if not rest:
        return name in words()
    if head in members():
        return rest in members()[head]
    if name in SETTINGS | RECORD or f'"{name}"' in quoted() or rest in tops().get(head, ()):
        return True
    return head not in GROUPS and head not in tops() and set(name.split(".")) <= words()


def _exists(path: str) -> bool:
    """Whether a file, or something that is defined in it, exists; a bare name may lie anywhere."""
    if (ROOT / path).exists() or _in_room(path):
        return True
    return "/" not in path and any(f for s in (*SOURCES, "tests") for f in (ROOT / s).rglob(path))


def _in_room(name: str) -> bool:
    """Of `core/recall/trace.Trace` or `capture/pipeline.apply`: the module, and what it defines."""
    if (ROOT / name).is_file():
        return True
    path, _, inside = name.partition(".")
    places = [place for place in (path, f"core/{path}") if _is_file(place)]
    if not inside or inside == "py":
        return any(not inside or (ROOT / f"{place}.py").is_file() for place in places)
    modules = [trees().get(Path(f"{place}.py")) for place in places]
    return any(inside in within(module) for module in modules if module)


def _is_file(stem: str) -> bool:
    return (ROOT / f"{stem}.py").is_file() or (ROOT / stem).is_dir()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    assert not missing(page.read_text("utf-8")), missing(page.read_text("utf-8"))


@pytest.mark.parametrize(
    "stale",
    [
        "`core/ports.py`",
        "`core/recall/trace.Trail`",
        "`running_away.py`",
        "`recall.deadline`",
        "`Journal.forget_all`",
        "`fusion.EXTENSION`",
        "`says_nothing_new`",
        "`KnowledgeGraphStore`",
        "`keeper_of_all(store)`",
        "`/memory forgive ID`",
        "`python3 scripts/dev.py lint`",
        "`python -m benchmarks.nothing`",
        "`make test`",
        "    core/consents.pause  nothing of it\n",
        "    code\n\nAfter a block of code: `core/ports.py`",
    ],
)
def test_what_is_gone_is_noticed(stale: str) -> None:
    assert len(missing(f"Before.\n\n{stale}\n")) == 1


def test_the_table_of_floors_is_the_one_in_force() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    (table,) = re.findall(r"^\| floor \| room \|.*\n((?:\|.*\n)+)", page, re.M)
    floors: dict[str, int] = {}
    floor = -1
    for name, room in re.findall(r"^\| *([\w ]*?) *\| `(\w+)` \|", table, re.M):
        floor += bool(name)
        floors[f"core.{room}"] = floor
    assert floors == FLOORS

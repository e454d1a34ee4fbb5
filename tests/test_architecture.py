"""Who may import whom, and the limits every module keeps. Read from the source, nothing is run."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from astrbot_plugin_tidemark.tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("core", "storage", "commands")

FLOORS = {
    "core.model": 0,
    "core.text": 1,
    "core.languages": 1,
    "core.forgetting": 2,
    "core.graph": 2,
    "core.similarity": 2,
    "core.scoring": 2,
    "core.conflict": 2,
    "core.settings": 3,
    "core.ports": 3,
    "core.prompts": 3,
    "core.records": 4,
    "core.queue": 4,
    "core.capture": 5,
    "core.recall": 5,
    "core.feedback": 5,
    "core.privacy": 5,
    "core.embedding": 5,
    "core.endpoints": 5,
    "core.transfer": 5,
    "core.simulation": 5,
    "core.sleep": 6,
    "core.engine": 7,
    "core.actions": 8,
    "core.host": 9,
}
"""The rooms of core and the floor each is on. A room imports from the floors below it, and from
rooms beside it as long as no two rooms come to import each other."""

BUDGETS = {
    "core.model": 1553,
    "core.text": 956,
    "core.languages": 4094,
    "core.forgetting": 1884,
    "core.graph": 256,
    "core.similarity": 375,
    "core.scoring": 479,
    "core.conflict": 387,
    "core.settings": 792,
    "core.ports": 1596,
    "core.prompts": 1390,
    "core.records": 3000,
    "core.queue": 474,
    "core.capture": 2919,
    "core.recall": 3666,
    "core.feedback": 193,
    "core.privacy": 1173,
    "core.embedding": 2274,
    "core.endpoints": 464,
    "core.transfer": 4303,
    "core.simulation": 996,
    "core.sleep": 2808,
    "core.engine": 1864,
    "core.actions": 5466,
    "core.host": 2745,
    "main": 287,
    "core": 1,
    "storage": 9406,
    "commands": 3886,
}
"""Lines of each room at most. Lowered with every change; a room that needs more takes them from
another in the same commit."""

ALL_ROOMS = 59_687
"""Lines of the product, never raised. The plan ends at 46 000."""

ALL_TESTS = 62_201
"""Lines of all tests, never raised."""

OF_TOOLS = ("benchmarks", "scripts")
"""Folders of tests of what is no room."""

SLACK = 400
"""Lines by which the budgets may exceed what there is."""

ROOM_IN_A_FILE = 500
"""Lines beyond which a module and the only one that imports it stay two."""

TABLES = {
    "commands.chat.catalogue",
    "commands.web.catalogue",
    "core.forgetting.catalogue",
    "core.transfer.foreign.opening",
}
"""Modules that list what others hold, an entry each: the entries are their room's doors."""

PURE_FLOORS = (0, 1, 2)
PURE_ROOMS = {room for room, floor in FLOORS.items() if floor in PURE_FLOORS} | {
    "core.settings",
    "core.prompts",
}

OUTSIDE = {
    "storage": {*PURE_ROOMS, "core.ports", "core.records", "core.endpoints"},
    "commands": {"core.actions", "core.model", "core.text", "core.settings"},
    "main": FLOORS.keys() | {"storage", "commands"},
}
"""What lies outside of core, and the rooms it may import. Core imports none of it."""

DRIVERS = {
    "core.prompts": {"json_repair", "pydantic"},
    "storage": {"chromadb", "faiss", "httpx", "numpy", "pydantic"},
    "core.model": {"numpy"},
    "core.languages": {"numpy"},
    "core.forgetting": {"numpy", "fsrs"},
    "core.graph": {"numpy", "networkx"},
    "core.similarity": {"numpy"},
    "core.scoring": {"numpy"},
    "core.recall": {"numpy"},
    "core.simulation": {"numpy"},
    "core.sleep": {"numpy"},
    "core.records": {"pydantic"},
    "core.embedding": {"numpy", "httpx", "aiohttp", "onnxruntime", "tokenizers"},
    "core.endpoints": {"numpy", "openai", "httpx"},
    "core.transfer": {"numpy"},
    "core.host": {"astrbot", "PIL"},
    "main": {"astrbot"},
}
"""Third-party packages a room may import; every other room has the standard library alone."""

IMPURE = {"asyncio", "logging", "os", "pathlib", "random", "secrets", "sqlite3", "tempfile", "time"}
READS_FILES = {
    "core.scoring.fitted": {"pathlib"},
    "core.text.token_count": {"os", "pathlib", "tempfile"},
}
"""A tokenizer's cached vocabulary, and the fitted models."""

TOLD_AS_IT_IS = {"core.recall.trace"}
"""A value made to be read by whoever explains a recall; actions hand it on."""
INTO_THE_ENGINE = {"engine", "parts", "services", "store", "journal"}

CATCHES_ALL = {
    "core/embedding/folder/embedder.py",
    "core/embedding/onnx/session.py",
    "core/host/guard.py",
    "core/host/lifetime.py",
    "core/host/providers.py",
    "core/queue/worker.py",
}
SPELT_ALIKE = {"Context"}
"""Class names that may be defined twice."""

WORDS_OF_CHINESE = {
    "core.capture.grounding",
    "core.languages.numbers",
    "core.conflict.slots",
    "core.conflict.clauses",
    "core.host.compression",
    "core.languages.han_numerals",
    "core.languages.times",
    "core.recall.selection",
    "core.records.sameness",
    "core.settings.wanted",
    "core.records.tool_calls",
    "core.text.quoting",
    "core.text.time.festivals",
    "core.text.traditional",
    "core.transfer.foreign.rows",
}
"""Where ideographs may be besides the folders of languages and the labels of policies: ranges
and tables of characters, numerals and days, what credentials are called in the answer of a tool of
any language, what people type for on and off, what compares claims and chooses among memories, and
the words that other programs write into their files."""

FORBIDDEN_WORDS = ("Manager", "Handler", "Processor", "Helper", "Utils")
CONTAINERS = {"list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict"}
STATEFUL = CONTAINERS | {"Event", "Lock", "Queue", "Semaphore", "WeakValueDictionary", "count"}
MUTATORS = {"append", "add", "update", "extend", "insert", "pop", "clear", "setdefault", "remove"}


@dataclass(frozen=True)
class Module:
    """A source file and its syntax tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        return room_of(self.name)

    @property
    def pure(self) -> bool:
        """Whether it is in a pure room, or says of itself that it is pure."""
        return self.room in PURE_ROOMS or "Pure" in (ast.get_docstring(self.tree) or "")

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Full names of what is imported: `core.memory` for our own, `json` for others."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        package = self.name.split(".")
        if not self.path.endswith("__init__.py"):
            package = package[:-1]
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield node.module or ""
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1]
                found = ".".join([*base, *([node.module] if node.module else [])])
                submodules = [f"{found}.{alias.name}".lstrip(".") for alias in node.names]
                yield from (name if is_ours(name) else found for name in submodules)


@cache
def is_ours(name: str) -> bool:
    """Whether a dotted name is a module of this repository."""
    stem = ROOT.joinpath(*name.split("."))
    return stem.with_suffix(".py").is_file() or (stem / "__init__.py").is_file()


def room_of(name: str) -> str:
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "core" else parts[0]


@cache
def modules() -> tuple[Module, ...]:
    """Every module that runs in the host."""
    paths = [ROOT / "main.py", *(p for s in SOURCES for p in sorted((ROOT / s).rglob("*.py")))]
    return tuple(_read(path) for path in paths)


def _read(path: Path) -> Module:
    relative = path.relative_to(ROOT)
    parts = relative.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text("utf-8")
    return Module(relative.as_posix(), name, text, ast.parse(text))


every_module = for_each(modules(), lambda module: module.path)


def ours(module: Module) -> set[str]:
    return {name for name in module.imports if name and is_ours(name)} - {module.name}


def test_nothing_lies_loose_in_core() -> None:
    assert [path.name for path in (ROOT / "core").glob("*.py")] == ["__init__.py"]


def test_every_room_is_on_a_floor() -> None:
    folders = {f"core.{path.parent.name}" for path in (ROOT / "core").glob("*/__init__.py")}
    assert folders == set(FLOORS)
    assert len(FLOORS) <= 25


@every_module
def test_a_module_imports_only_from_floors_below_or_beside_it(module: Module) -> None:
    if module.name == "core":
        return
    rooms = {room_of(name) for name in ours(module)} - {module.room}
    if module.room in FLOORS:
        allowed = {room for room, floor in FLOORS.items() if floor <= FLOORS[module.room]}
    else:
        allowed = set(OUTSIDE[module.room])
    if module.room == "commands":
        rooms = {room_of(name) for name in ours(module) - TOLD_AS_IT_IS} - {module.room}
    assert rooms - allowed == set()


@every_module
def test_a_command_reads_no_store_journal_or_policy_but_asks_an_action(module: Module) -> None:
    if module.room != "commands":
        return
    reached = [n for n in module.nodes if isinstance(n, ast.Attribute)]
    assert [n.lineno for n in reached if n.attr in INTO_THE_ENGINE] == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    rooms: dict[str, set[str]] = {}
    for module in modules():
        rooms.setdefault(module.room, set()).update(map(room_of, ours(module)))
    assert circle({room: into - {room} for room, into in rooms.items()}) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle({module.name: ours(module) for module in modules()}) == []


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of one circle; none if there is no circle."""
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


@every_module
def test_a_module_imports_only_the_drivers_of_its_room(module: Module) -> None:
    roots = {name.split(".")[0] for name in module.imports if not is_ours(name)}
    foreign = roots - sys.stdlib_module_names - {"core", "storage", "commands", ""}
    assert foreign <= DRIVERS.get(module.room, set())


@every_module
def test_a_pure_module_has_no_clock_chance_log_or_file(module: Module) -> None:
    if not module.pure:
        return
    roots = {name.split(".")[0] for name in module.imports}
    assert roots & IMPURE <= READS_FILES.get(module.name, set())
    assert not [n for n in module.nodes if isinstance(n, ast.Await | ast.AsyncFor)]


@every_module
def test_a_module_is_short_enough_to_read(module: Module) -> None:
    lines = module.text.count("\n")
    assert lines <= (300 if module.path == "main.py" else 600)


def test_every_room_keeps_its_budget_of_lines() -> None:
    lines = dict.fromkeys(BUDGETS, 0)
    for module in modules():
        lines[module.room] += module.text.count("\n")
    assert {room: count for room, count in lines.items() if count > BUDGETS[room]} == {}
    slack = sum(BUDGETS.values()) - sum(lines.values())
    assert slack <= SLACK, "lower the budgets of the rooms that have shrunk"
    assert sum(BUDGETS.values()) <= ALL_ROOMS, "a room takes its lines from another one"


def test_the_tests_of_the_rooms_are_no_longer_than_the_rooms() -> None:
    tests = ROOT / "tests"
    lines = {
        path.relative_to(tests): path.read_text("utf-8").count("\n") for path in tests.rglob("*.py")
    }
    assert sum(lines.values()) <= ALL_TESTS
    of_rooms = sum(count for path, count in lines.items() if path.parts[0] not in OF_TOOLS)
    assert of_rooms <= ALL_ROOMS, "a test is told once, at the floor where its rule is"


def test_a_module_that_one_other_of_its_room_imports_is_a_door_or_does_not_fit_into_it() -> None:
    importers: dict[str, set[str]] = {}
    for module in modules():
        for name in ours(module):
            importers.setdefault(name, set()).add(module.name)
    known = {module.name: module for module in modules()}
    foldable: list[str] = []
    for name, by in importers.items():
        if len(by) > 1 or name not in known:
            continue
        only = known[next(iter(by))]
        package = "__init__.py" in {Path(each.path).name for each in (only, known[name])}
        door = only.name in TABLES or package
        lines = known[name].text.count("\n") + only.text.count("\n")
        apart = door or known[name].pure != only.pure or lines > ROOM_IN_A_FILE
        if only.room == known[name].room and not apart:
            foldable.append(f"{name} into {only.name}: {lines}")
    assert "\n".join(foldable) == ""


@every_module
def test_a_function_is_short_enough_to_see(module: Module) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= 60
    ]
    assert long == []


@every_module
def test_no_name_is_a_word_for_anything(module: Module) -> None:
    defined = [
        node.name
        for node in module.nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    stem = Path(module.path).stem
    words = [word for word in FORBIDDEN_WORDS for name in defined if word in name]
    assert words == []
    assert not any(word.lower() in stem for word in FORBIDDEN_WORDS)


def test_a_public_class_name_means_one_class() -> None:
    names = [
        node.name
        for module in modules()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert {name for name in names if names.count(name) > 1} <= SPELT_ALIKE


@every_module
def test_everything_is_caught_only_where_that_is_the_task(module: Module) -> None:
    broad = [
        node.lineno
        for node in module.nodes
        if isinstance(node, ast.ExceptHandler) and _swallows_all(node)
    ]
    assert broad == [] or module.path in CATCHES_ALL


def _swallows_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    broad = any(
        name is None or (isinstance(name, ast.Name) and name.id in ("Exception", "BaseException"))
        for name in names
    )
    last = handler.body[-1]
    raises_again = isinstance(last, ast.Raise) and last.exc is None
    return broad and not raises_again


@every_module
def test_no_module_keeps_state(module: Module) -> None:
    assert not [node.lineno for node in module.nodes if isinstance(node, ast.Global)]
    bound = dict(_bound_at_top(module.tree))
    stateful = [
        name
        for name, value in bound.items()
        if isinstance(value, ast.Call) and _called(value) in STATEFUL
    ]
    assert stateful == []
    assert _changed(module.tree) & bound.keys() == set()


def _bound_at_top(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            yield from ((t.id, node.value) for t in node.targets if isinstance(t, ast.Name))


def _called(call: ast.Call) -> str:
    called = call.func.value if isinstance(call.func, ast.Subscript) else call.func
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _changed(tree: ast.Module) -> set[str]:
    """Names whose items are assigned, deleted or changed by a method."""
    found = {
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store | ast.Del)
        and isinstance(node.value, ast.Name)
    }
    return found | {
        node.func.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MUTATORS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id.strip("_").isupper()
    }


def test_somebody_asks_for_every_role_of_the_ports() -> None:
    roles = {
        node.name
        for module in modules()
        if module.room == "core.ports"
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and any(_named(base) == "Protocol" for base in node.bases)
    }
    asked = {
        node.id
        for module in modules()
        if module.room != "core.ports"
        for node in module.nodes
        if isinstance(node, ast.Name)
    }
    # What `DataFiles.claim` gives is only ever given back.
    assert roles - asked == {"Lease"}


@every_module
def test_no_protocol_only_unites_others(module: Module) -> None:
    if module.room == "core.ports":
        return
    unions = [
        node.name
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
        and len(node.bases) > 1
        and any(_named(base) == "Protocol" for base in node.bases)
        and not any(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body)
    ]
    assert unions == []


def _named(node: ast.expr) -> str:
    """The name that an expression is: `Journal` of `Journal`, `ports.Journal` and `"Journal"`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name
        case _:
            return ""


@every_module
def test_a_module_says_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree) or not module.tree.body


@every_module
def test_no_resource_is_released_by_the_collector(module: Module) -> None:
    defined = {n.name for n in module.nodes if isinstance(n, ast.FunctionDef)}
    assert "__del__" not in defined


def _language_folders() -> set[str]:
    return {
        f"core.languages.{path.parent.name}" for path in ROOT.glob("core/languages/*/__init__.py")
    }


def _texts(module: Module) -> list[str]:
    """Its string constants but for docstrings, and for texts beside values."""
    told = {id(node.value) for node in module.nodes if isinstance(node, ast.Expr)}
    constants = (node for node in module.nodes if isinstance(node, ast.Constant))
    return [c.value for c in constants if isinstance(c.value, str) and id(c) not in told]


@every_module
def test_words_of_a_language_are_in_its_folder(module: Module) -> None:
    exempt = module.room in {"core.forgetting", "commands"}
    if exempt or ".".join(module.name.split(".")[:3]) in _language_folders():
        return
    chinese = any("\u4e00" <= letter <= "\u9fff" for text in _texts(module) for letter in text)
    assert not chinese or module.name in WORDS_OF_CHINESE


def test_a_language_needs_no_other() -> None:
    folders = _language_folders()
    for module in modules():
        own = ".".join(module.name.split(".")[:3])
        if own in folders:
            imported = {".".join(name.split(".")[:3]) for name in ours(module)}
            assert imported & folders <= {own}, module.path

"""Who may import whom, and the limits every module keeps. Read from the source, nothing is run."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("core", "storage", "commands")

LAYERS = {
    "main": "main",
    "commands": "commands",
    "storage": "storage",
    "core.host": "host",
    "core.asking": "engine",
    "core.engine": "engine",
    "core.jobs": "engine",
    "core.tools": "engine",
    "core.recall": "recall",
    "core.capture": "capture",
    "core.feedback": "feedback",
    "core.embedding": "embedding",
    "core.forgetting.choice": "settings",
    "core.forgetting.passes": "sweep",
    "core.forgetting.sweep": "sweep",
    "core.access": "service",
    "core.chat_endpoint": "service",
    "core.consents": "service",
    "core.by_hand": "pure",
    "core.links": "pure",
    "core.calibration": "statements",
    "core.compare": "statements",
    "core.conflict": "pure",
    "core.likeness": "pure",
    "core.replies": "statements",
    "core.products": "pure",
    "core.trust": "pure",
    "core.curation": "service",
    "core.purging": "service",
    "core.erasure": "service",
    "core.unsharing": "service",
    "core.own_words": "pure",
    "core.people": "service",
    "core.reconciliation": "service",
    "core.retention": "service",
    "core.transfer": "transfer",
    "core.short_ids": "service",
    "core.usefulness": "service",
    "core.simulation": "service",
    "core.notes": "statements",
    "core.statements": "statements",
    "core.worker": "service",
    "core.ports": "ports",
    "core.record": "record",
    "core.settings": "settings",
    "core.prompts": "prompts",
    "core.capture.segment": "prompts",
    "core.forgetting": "pure",
    "core.text": "pure",
    "core.times": "pure",
    "core.capture.dated": "pure",
    "core.capture.evidence": "pure",
    "core.capture.names": "pure",
    "core.capture.remember": "pure",
    "core.capture.rule": "pure",
    "core.capture.rules": "pure",
    "core.capture.rules_en": "pure",
    "core.capture.rules_zh": "pure",
    "core.capture.statement": "pure",
    "core.capture.third_person": "pure",
    "core.capture.words_zh": "pure",
    "core.feedback.attribute": "pure",
    "core.graph": "pure",
    "core.recall.adjust": "pure",
    "core.recall.contradiction": "pure",
    "core.recall.diversity": "pure",
    "core.recall.block": "pure",
    "core.recall.fusion": "pure",
    "core.recall.graph": "pure",
    "core.recall.intent": "pure",
    "core.recall.intentions": "pure",
    "core.recall.origins": "pure",
    "core.recall.rerank_scores": "pure",
    "core.recall.select": "pure",
    "core.recall.time_alone": "pure",
    "core.recall.trace": "pure",
    "core.recall.when": "pure",
    "core": "values",
}
"""The layer of a module is that of its longest prefix here."""

PURE = frozenset({"values", "pure"})
CONTRACTS = PURE | {"ports", "settings", "prompts"}
SHARED = CONTRACTS | {"statements"}
PIPELINES = frozenset(
    {"recall", "capture", "feedback", "embedding", "sweep", "service", "transfer"}
)

MAY_IMPORT = {
    "values": {"values"},
    "pure": PURE,
    "settings": PURE | {"settings"},
    "ports": PURE | {"ports"},
    "prompts": CONTRACTS - {"settings"},
    "statements": CONTRACTS - {"settings"} | {"statements"},
    **{pipeline: SHARED | {pipeline} for pipeline in PIPELINES},
    "engine": SHARED | PIPELINES | {"engine"},
    "host": SHARED | PIPELINES | {"engine", "host"},
    "record": PURE,
    "transfer": SHARED | {"record", "service", "transfer"},
    "storage": PURE | {"ports", "record", "storage"},
    "commands": SHARED | {"engine", "commands", *PIPELINES},
    "main": SHARED | PIPELINES | {"engine", "host", "storage", "commands"},
}

DRIVERS = {
    "storage": {"chromadb", "faiss", "httpx", "numpy", "pydantic"},
    "embedding": {"numpy", "openai", "httpx", "aiohttp"},
    "service": {"openai"},
    "ports": {"numpy"},
    "record": {"pydantic"},
    "transfer": {"numpy"},
    "host": {"astrbot"},
    "main": {"astrbot"},
}
"""Third-party packages a layer may import; every other layer has the standard library alone."""

OPTIONAL = {
    "core.text.counting": {"tiktoken"},
    "core.text.when": {"lunardate"},
    "core.calibration": {"numpy"},
    "core.compare": {"numpy"},
    "core.likeness": {"numpy"},
    "core.products": {"numpy"},
    "core.recall.diversity": {"numpy"},
    "core.recall.select": {"numpy"},
    "core.recall.legs.semantic": {"numpy"},
    "core.capture.chinese_names": {"numpy"},
    "core.graph": {"numpy"},
    "core.forgetting": {"numpy"},
    "core.forgetting.fsrs": {"fsrs"},
}
"""Packages that single modules, or packages of them, may import as well."""

IMPURE = {"asyncio", "logging", "os", "pathlib", "random", "secrets", "sqlite3", "tempfile", "time"}
READS_A_CACHE = {"core.text.counting": {"os", "pathlib", "tempfile"}}

CATCHES_ALL = {
    "core/host/guard.py",
    "core/host/lifetime.py",
    "core/host/providers.py",
    "core/worker.py",
}
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
    def layer(self) -> str:
        return layer_of(self.name)

    def imports(self) -> Iterator[str]:
        """Full names of what is imported: `core.memory` for our own, `json` for others."""
        package = self.name.split(".")
        if not self.path.endswith("__init__.py"):
            package = package[:-1]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield node.module or ""
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1]
                found = ".".join([*base, *([node.module] if node.module else [])])
                submodules = [f"{found}.{alias.name}".lstrip(".") for alias in node.names]
                yield from (name if is_ours(name) else found for name in submodules)


def is_ours(name: str) -> bool:
    """Whether a dotted name is a module of this repository."""
    stem = ROOT.joinpath(*name.split("."))
    return stem.with_suffix(".py").is_file() or (stem / "__init__.py").is_file()


def layer_of(name: str) -> str:
    """The layer of a module of ours."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next(LAYERS[prefix] for prefix in prefixes if prefix in LAYERS)


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


every_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.path)


@every_module
def test_a_module_imports_only_what_its_layer_may(module: Module) -> None:
    allowed = MAY_IMPORT[module.layer]
    ours = [name for name in module.imports() if is_ours(name)]
    assert [name for name in ours if layer_of(name) not in allowed] == []


@every_module
def test_a_module_imports_only_the_drivers_of_its_layer(module: Module) -> None:
    roots = {name.split(".")[0] for name in module.imports() if not is_ours(name)}
    foreign = roots - sys.stdlib_module_names - {"core", "storage", "commands", ""}
    optional = {
        driver
        for prefix, drivers in OPTIONAL.items()
        if module.name == prefix or module.name.startswith(f"{prefix}.")
        for driver in drivers
    }
    assert foreign <= DRIVERS.get(module.layer, set()) | optional


@every_module
def test_a_pure_module_has_no_clock_chance_log_or_file(module: Module) -> None:
    if module.layer not in PURE | {"settings", "prompts"}:
        return
    roots = {name.split(".")[0] for name in module.imports()}
    assert roots & IMPURE <= READS_A_CACHE.get(module.name, set())
    assert not [n for n in ast.walk(module.tree) if isinstance(n, ast.AsyncFunctionDef | ast.Await)]


@every_module
def test_a_module_is_short_enough_to_read(module: Module) -> None:
    lines = module.text.count("\n")
    assert lines <= (300 if module.path == "main.py" else 400)


@every_module
def test_a_function_is_short_enough_to_see(module: Module) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= 60
    ]
    assert long == []


@every_module
def test_no_name_is_a_word_for_anything(module: Module) -> None:
    defined = [
        node.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    stem = Path(module.path).stem
    words = [word for word in FORBIDDEN_WORDS for name in defined if word in name]
    assert words == []
    assert not any(word.lower() in stem for word in FORBIDDEN_WORDS)


@every_module
def test_everything_is_caught_only_where_that_is_the_task(module: Module) -> None:
    broad = [
        node.lineno
        for node in ast.walk(module.tree)
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
    assert not [node.lineno for node in ast.walk(module.tree) if isinstance(node, ast.Global)]
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


@every_module
def test_a_module_says_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree) or not module.tree.body


@every_module
def test_no_resource_is_released_by_the_collector(module: Module) -> None:
    defined = {n.name for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef)}
    assert "__del__" not in defined

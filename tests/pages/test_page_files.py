"""The files of the page: small, whole, in both languages, and without what its frame forbids."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.vendor import MANIFESTS, digest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "pages" / "tidemark"
OWN = sorted(p for p in PAGE.rglob("*.js") if "vendor" not in p.parts)
FIRST_VIEW_KB = 120
ALL_MB = 3
CATALOGUES = ("zh-CN", "en-US")
FORBIDDEN = re.compile(
    r"\b(localStorage|sessionStorage|indexedDB|document\.cookie|window\.open|v-html|innerHTML"
    r"|alert\(|confirm\(|prompt\(|eval\()|https?://"
)
"""What throws in the sandboxed frame, would show a text as markup, or leaves the machine."""
IMPORTS = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
STATIC = re.compile(r"""^(?:import|export|\}) [^"'`]*from ["'](\.[^"']+)["']""", re.M)
SAID = re.compile(r"""\bt\(\s*["'`]([a-z_][\w.]*)["'`]\s*[,)]""")
COMPOSED = re.compile(r"""\bt\(\s*(?:["']([a-z_][\w.]*\.)["']\s*\+|`([a-z_][\w.]*\.)\$\{)""")


def phrases(language: str) -> dict[str, str]:
    """The page's phrases by dotted key."""
    file = ROOT / ".astrbot-plugin" / "i18n" / f"{language}.json"
    return dict(flat(json.loads(file.read_text("utf-8"))["pages"]["tidemark"]))


def flat(tree: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found = []
    for name, value in tree.items():
        found += (
            flat(value, f"{prefix}{name}.")
            if isinstance(value, dict)
            else [(f"{prefix}{name}", value)]
        )
    return found


def first_view() -> set[Path]:
    """What is fetched before the first view stands: the page and all it imports at once."""
    index = PAGE / "index.html"
    found = {index, *(PAGE / each for each in re.findall(r'href="\./(\S+)"', index.read_text()))}
    views = sorted((PAGE / "views").glob("*.js"), key=lambda p: p.stat().st_size)
    waiting = [PAGE / "app.js", views[-1]]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += [module.parent / each for each in STATIC.findall(module.read_text("utf-8"))]
    return {path.resolve() for path in found}


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.parent.parent.name)
def test_vendored_files_are_the_released_ones_with_their_licences(manifest: Path) -> None:
    listed = json.loads(manifest.read_text("utf-8"))
    assert {entry["file"]: entry["sha256"] for entry in listed} == {
        path.name: digest(path) for path in manifest.parent.glob("*.js")
    }
    for entry in listed:
        assert (manifest.parent / f"{entry['name']}.LICENSE").is_file()
        assert entry["licence"]
        assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])


def test_the_first_view_is_light_and_all_pages_are_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in first_view()}
    assert {"index.html", "app.js", "vue.esm-browser.prod.js"} <= sizes.keys()
    assert sum(sizes.values()) <= FIRST_VIEW_KB * 1024, sizes
    files = [path for path in (ROOT / "pages").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < ALL_MB * 1024 * 1024


@pytest.mark.parametrize("module", OWN, ids=lambda path: path.name)
def test_a_module_uses_nothing_that_the_frame_forbids(module: Path) -> None:
    text = module.read_text("utf-8")
    assert [match.group() for match in FORBIDDEN.finditer(text)] == []
    assert text.lstrip().startswith("/**"), "a module says what it is for"
    assert text.count("\n") <= 300 or module.name == "types.js", "only what is written by a command"


@pytest.mark.parametrize("module", OWN, ids=lambda path: path.name)
def test_what_a_module_imports_is_there(module: Path) -> None:
    wanted = IMPORTS.findall(module.read_text("utf-8"))
    assert [each for each in wanted if not (module.parent / each).is_file()] == []


def test_phrases_exist_in_both_languages_with_their_places() -> None:
    zh, en = map(phrases, CATALOGUES)
    assert list(zh) == list(en)
    places = re.compile(r"\{\w+\}")
    differ = [key for key in zh if set(places.findall(zh[key])) != set(places.findall(en[key]))]
    assert differ == []
    known = set(phrases("en-US"))
    text = "\n".join(module.read_text("utf-8") for module in OWN)
    families = {a or b for a, b in COMPOSED.findall(text)}
    assert sorted(key for key in SAID.findall(text) if key not in known and key[-1] != ".") == []
    assert sorted(each for each in families if not any(k.startswith(each) for k in known)) == []

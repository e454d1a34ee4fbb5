"""Write the form, its texts, docs/commands.md and docs/configuration.md; --check compares."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from .bootstrap import PACKAGE, ROOT, mount

COMMAND = "python -m scripts.render"


def main(argv: Sequence[str]) -> int:
    """1 if `--check` finds a page that is not current, else 0."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, name what is old")
    arguments = parser.parse_args(argv)
    mount()
    pages: dict[Path, str] = importlib.import_module(f"{PACKAGE}.scripts.generated_files").files()
    old = [page for page, text in pages.items() if _content(page) != text]
    for page in old:
        name = page.relative_to(ROOT)
        if arguments.check:
            print(f"{name} is not current: run {COMMAND}")
        else:
            page.write_text(pages[page], encoding="utf-8")
            print(f"wrote {name}")
    return 1 if arguments.check and old else 0


def _content(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.is_file() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

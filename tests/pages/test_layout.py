"""Where the names of a graph lie: apart from each other, and not all along the edges."""

from itertools import combinations
from math import hypot
from pathlib import Path
from random import Random

import pytest

from .browser import launched

LAYOUT = Path(__file__).parents[2] / "pages" / "tidemark" / "lib" / "layout.js"


@pytest.mark.parametrize(("size", "names"), [((860, 560), 20), ((860, 560), 60), ((400, 470), 24)])
async def test_names_lie_apart_within_the_picture(size: tuple[int, int], names: int) -> None:
    """Bug: most were pushed to the edges, and in the corners lay some on each other."""
    dice, (width, height) = Random(names), size
    nodes = [{"id": str(n), "count": 40 // (n + 1) + 1} for n in range(names)]
    links = [
        {"one": str(dice.randrange(min(n, 4))), "other": str(n), "count": 1 + n % 3}
        for n in range(1, names)
        if n % 7
    ]
    code = LAYOUT.read_text("utf-8").replace("export function", "function")
    async with launched() as browser:
        page = await browser.new_page()
        told = await page.evaluate(
            f"([...asked]) => {{ {code}; return [...layout(...asked).values()]; }}",
            [nodes, links, width, height],
        )
    assert all(0 < at["x"] < width and 0 < at["y"] < height for at in told)
    least = min(hypot(a["x"] - b["x"], a["y"] - b["y"]) for a, b in combinations(told, 2))
    assert least > 18
    left, right = min(at["x"] for at in told), max(at["x"] for at in told)
    assert sum(at["x"] in (left, right) for at in told) == 2

"""Products in pieces: as whole ones, and without a thread of BLAS's own."""

import subprocess
import sys

import numpy as np
from astrbot_plugin_tidemark.core.similarity import measure
from astrbot_plugin_tidemark.core.similarity.measure import product
from hypothesis import given
from hypothesis import strategies as st

MEASURED = """
import importlib.util, sys, time
import numpy as np

spec = importlib.util.spec_from_file_location("products", sys.argv[1])
products = importlib.util.module_from_spec(spec)
sys.modules["products"] = products
spec.loader.exec_module(products)
draw = np.random.default_rng(1)
left = draw.normal(size=(12, 250, 32)).astype(np.float32)
state = draw.normal(size=(250, 1536)).astype(np.float32)
weight = draw.normal(size=(1536, 384)).astype(np.float32)


def work():
    products.product(state, weight), products.product(left, left.swapaxes(1, 2))


work()
time.sleep(0.5)
own, every = time.thread_time(), time.process_time()
while time.thread_time() - own < 0.3:
    work()
print((time.process_time() - every) / (time.thread_time() - own))
"""


def test_no_other_thread_is_busy_while_pieces_are_multiplied() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, measure.__file__],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert float(done.stdout) < 1.1


@given(st.integers(1, 3), st.integers(1, 300), st.sampled_from([1, 32, 384]))
def test_a_stack_in_pieces_gives_what_it_gives_whole(stack: int, rows: int, into: int) -> None:
    left = np.random.default_rng(rows).normal(size=(stack, rows, into)).astype(np.float32)
    right = left.swapaxes(1, 2)
    assert np.allclose(product(left, right), left.astype(float) @ right, atol=1e-3)

"""Products in pieces: as whole ones, and without a thread of BLAS's own."""

import subprocess
import sys

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.similarity import measure as products
from astrbot_plugin_tidemark.core.similarity.measure import SMALL, Factor, product
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
weight = draw.normal(size=(384, 1536)).astype(np.float32)
factor = products.Factor.transposed(weight)
work = {
    "pieces": lambda: (factor.after(state), products.product(left, left.swapaxes(1, 2))),
    "whole": lambda: state @ weight.T,
}[sys.argv[2]]
work()
time.sleep(0.5)
own, every = time.thread_time(), time.process_time()
while time.thread_time() - own < 0.3:
    work()
print((time.process_time() - every) / (time.thread_time() - own))
"""


def threads_busy(work: str) -> float:
    """Processor time of the process for each second of the thread that multiplies."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, products.__file__, work],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return float(done.stdout)


def test_no_other_thread_is_busy_while_pieces_are_multiplied() -> None:
    assert threads_busy("pieces") < 1.1


@given(st.integers(1, 70), st.sampled_from([1, 7, 32, 384, 1536]), st.sampled_from([1, 64, 96]))
def test_a_factor_gives_what_the_whole_matrix_gives(rows: int, into: int, out: int) -> None:
    draw = np.random.default_rng(rows)
    left = draw.normal(size=(rows, into)).astype(np.float32)
    matrix = draw.normal(size=(out, into)).astype(np.float32)
    made = Factor.transposed(matrix).after(left)
    assert made.shape == (rows, out)
    assert np.allclose(made, left.astype(float) @ matrix.T.astype(float), atol=1e-3)


@given(st.integers(1, 3), st.integers(1, 300), st.sampled_from([1, 32, 384]))
def test_a_stack_in_pieces_gives_what_it_gives_whole(stack: int, rows: int, into: int) -> None:
    left = np.random.default_rng(rows).normal(size=(stack, rows, into)).astype(np.float32)
    right = left.swapaxes(1, 2)
    assert np.allclose(product(left, right), left.astype(float) @ right, atol=1e-3)


@pytest.mark.parametrize(("into", "out"), [(384, 384), (384, 1536), (1536, 384), (384, 1152)])
def test_no_piece_of_the_model_s_matrices_is_large(into: int, out: int) -> None:
    _, _, depth, width = Factor.transposed(np.zeros((out, into), np.float32)).pieces.shape
    assert products.ROWS * depth * width <= SMALL

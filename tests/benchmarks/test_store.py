"""The store benchmark prints what its documentation says."""

from typing import Any

from .conftest import documented, keys

type Result = dict[str, Any]
SPREAD = {"n", "p5", "p50", "p95", "p99", "max", "limit", "measured", "met"}


def test_every_key_is_documented(store_result: Result) -> None:
    targets = set(store_result["targets"])
    assert keys(store_result) - SPREAD - targets <= documented("store")


def test_everything_asked_for_is_done(store_result: Result) -> None:
    for scope in store_result["scopes"]:
        assert scope["memories"] == 80
        assert {scope["search_ms"][leg]["n"] for leg in ("text", "vector", "hybrid")} == {8}
        assert scope["feedback_of_10_ms"]["n"] == 2
        assert min(scope["inserts_per_s"].values()) > 0
        assert min(scope["vectors_per_s"].values()) > 0

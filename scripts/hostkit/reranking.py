"""The reranking half of the model server: what it was asked, and how it misbehaves."""

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from aiohttp import web

from .root import ModelSource

PROVIDER_ID = "reranker"


class RerankFault(StrEnum):
    """What is wrong with a reranker's answers. `LOGITS` is no fault, but another scale."""

    NONE = "none"
    LOGITS = "logits"
    DOWN = "down"
    NOTHING = "nothing"
    TOO_FEW = "too few"
    TOO_MANY = "too many"
    OUT_OF_RANGE = "out of range"
    NEGATIVE = "negative index"
    TWICE = "one twice"
    NOT_A_NUMBER = "not a number"
    WORDS = "words for numbers"
    NO_JSON = "no JSON"
    OTHER_JSON = "other JSON"


class Reranking:
    """`asked` holds every query with its documents. `delay` is in seconds, before any answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.fault = RerankFault.NONE
        self.delay = 0.0
        self.judge: Callable[[str, str], float] = overlap

    async def answer(self, http: web.Request) -> web.Response:
        """Scores for one request, best first, as rerank servers give them."""
        body = await http.json()
        query, documents = body["query"], body["documents"]
        self.asked.append((query, documents))
        if self.delay:
            await asyncio.sleep(self.delay)
        scores = enumerate(self.judge(query, text) for text in documents)
        results: list[dict[str, Any]] = [
            {"index": index, "relevance_score": score}
            for index, score in sorted(scores, key=lambda pair: -pair[1])
        ]
        return _told(results, self.fault)


def overlap(query: str, document: str) -> float:
    """Share of the query's character pairs that the document has, 0..1."""
    pairs = set(itertools.pairwise(query.lower()))
    return len(pairs & set(itertools.pairwise(document.lower()))) / max(1, len(pairs))


def rerank_provider(model: ModelSource) -> dict[str, Any]:
    """An entry of the host's `provider` list that uses the model server's reranker."""
    return {
        "id": PROVIDER_ID,
        "type": "vllm_rerank",
        "provider": "vllm",
        "provider_type": "rerank",
        "enable": True,
        "rerank_api_key": "none",
        "rerank_api_base": model.url,
        "rerank_api_suffix": "/rerank",
        "rerank_model": "pairs",
        "timeout": 20,
    }


def _told(results: list[dict[str, Any]], fault: RerankFault) -> web.Response:
    if fault is RerankFault.DOWN:
        return web.json_response({"error": "scripted"}, status=503)
    if fault is RerankFault.NO_JSON:
        return web.Response(text="<html>scripted</html>", content_type="text/html")
    if fault is RerankFault.OTHER_JSON:
        return web.json_response([{"index": 0}])
    # JSON has no NaN, but Python's reader and writer know it; some servers send it.
    told = json.dumps({"id": "1", "results": _spoilt(results, fault)})
    return web.Response(text=told, content_type="application/json")


def _spoilt(results: Sequence[dict[str, Any]], fault: RerankFault) -> list[dict[str, Any]]:
    match fault:
        case RerankFault.LOGITS:
            return [each | {"relevance_score": 20 * _score(each) - 10} for each in results]
        case RerankFault.NOTHING:
            return []
        case RerankFault.TOO_FEW:
            return list(results[:1])
        case RerankFault.TOO_MANY:
            return [*results, results[0] | {"index": len(results)}]
        case RerankFault.OUT_OF_RANGE:
            return [each | {"index": each["index"] + 1_000} for each in results]
        case RerankFault.NEGATIVE:
            return [each | {"index": -1 - each["index"]} for each in results]
        case RerankFault.TWICE:
            return [results[0], *results]
        case RerankFault.NOT_A_NUMBER:
            return [each | {"relevance_score": float("nan")} for each in results]
        case RerankFault.WORDS:
            return [each | {"relevance_score": str(_score(each))} for each in results]
        case RerankFault.NONE | RerankFault.DOWN | RerankFault.NO_JSON | RerankFault.OTHER_JSON:
            return list(results)


def _score(result: dict[str, Any]) -> float:
    return float(result["relevance_score"])

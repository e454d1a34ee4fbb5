"""Somebody's allergy comes with whatever is shown of them, asked for or not."""

from dataclasses import replace
from typing import Any

from astrbot_plugin_tidemark.core.model.claims import Claim
from astrbot_plugin_tidemark.core.model.memory import Memory
from astrbot_plugin_tidemark.core.recall.cautions import with_cautions
from astrbot_plugin_tidemark.core.recall.trace import Drop, Fused, Hit, Leg

from .legs.asked import said

BY_NAME = (Hit(Leg.ENTITY, 1, 1.0, 1.0),)


def claimed(attribute: str, text: str, **changes: Any) -> Memory:
    claim = replace(Claim("child", attribute, text, 0.0), **changes)
    return replace(said(text, 9), id=text, claim=claim)


RECORDS = {
    each.id: each
    for each in (
        claimed("name", "Theo"),
        claimed("allergy", "nuts"),
        claimed("hobby", "chess"),
        claimed("allergy", "milk", denied=True),
        claimed("illness", "flu", valid_to=5.0),
    )
}
THEO = Fused("Theo", BY_NAME, 0.9)
NUTS = Fused("nuts", BY_NAME, 0.1).dropped(Drop.IRRELEVANT)


def shown(*judged: Fused, limit: int = 5) -> list[str]:
    return [each.memory for each in with_cautions(judged, RECORDS, limit) if each.drop is None]


def test_an_allergy_comes_right_after_what_is_first() -> None:
    chess = Fused("chess", BY_NAME, 0.5)
    assert shown(THEO, chess, NUTS) == ["Theo", "nuts", "chess"]
    assert shown(THEO, chess, NUTS, limit=2) == ["Theo", "nuts"]


def test_nothing_is_added_where_nothing_is_shown_or_nobody_is_named() -> None:
    assert shown(THEO.dropped(Drop.IRRELEVANT), NUTS) == []
    by_words = Fused("nuts", (Hit(Leg.TEXT, 1, 1.0, 1.0),), 0.1).dropped(Drop.IRRELEVANT)
    assert shown(THEO, by_words) == ["Theo"]


def test_what_holds_no_more_or_must_not_be_shown_is_not_added() -> None:
    gone = [Fused(id, BY_NAME, 0.1).dropped(Drop.IRRELEVANT) for id in ("milk", "flu", "chess")]
    assert shown(THEO, *gone) == ["Theo"]
    assert shown(THEO, replace(NUTS, drop=Drop.IN_CONTEXT)) == ["Theo"]

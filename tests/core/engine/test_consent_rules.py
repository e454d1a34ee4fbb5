"""What may be recorded, and what is not to be brought up."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from astrbot_plugin_tidemark.core.conflict.slots import UNMENTIONED
from astrbot_plugin_tidemark.core.embedding.calibrator import Calibrator
from astrbot_plugin_tidemark.core.model.consent import GroupRecording, Unrecorded, Utterance
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind
from astrbot_plugin_tidemark.core.model.memory import EmbedderIdentity, Facet, Kind, Status
from astrbot_plugin_tidemark.core.ports import Vector
from astrbot_plugin_tidemark.core.recall.trace import Drop
from astrbot_plugin_tidemark.core.settings import configure
from astrbot_plugin_tidemark.core.similarity.calibration import Centre, Frame

from ...kit import FakeEmbedder
from ...rig import Rig, drops
from ...samples import ANNS

GROUP = Scope(ScopeKind.GROUP, "qq", "5000")
SAID, CHATTER = Utterance(GROUP, "901"), Utterance(GROUP, "901", addressed=False)


async def choose(rig: Rig, wanted: GroupRecording | None) -> None:
    await rig.engine.consents.change(GROUP, lambda chosen: replace(chosen, recording=wanted))


async def refusals(rig: Rig) -> tuple[Unrecorded | None, Unrecorded | None]:
    admission = rig.engine.admission
    return await admission.refusal(SAID), await admission.refusal(CHATTER)


async def test_a_group_has_all_recorded_or_what_it_says_to_the_bot_or_nothing(rig: Rig) -> None:
    assert await refusals(rig) == (None, None)
    await choose(rig, GroupRecording.ADDRESSED)
    assert await refusals(rig) == (None, Unrecorded.NOT_ADDRESSED)
    await choose(rig, GroupRecording.NONE)
    assert await refusals(rig) == (Unrecorded.GROUP, Unrecorded.GROUP)
    await choose(rig, None)
    assert await refusals(rig) == (None, None)


async def test_a_groups_choice_is_every_personas_there_and_of_no_other_chat(rig: Rig) -> None:
    await choose(rig, GroupRecording.NONE)
    others = (replace(GROUP, subject="5001"), Scope(ScopeKind.PRIVATE, "qq", "901"))
    for scope in others:
        assert await rig.engine.admission.refusal(Utterance(scope, "901")) is None
    await choose(rig, GroupRecording.NONE)
    said = Utterance(replace(GROUP, persona="nurse"), "901")
    assert await rig.engine.admission.refusal(said) is Unrecorded.GROUP


@pytest.mark.parametrize("name", ["allow", "deny"])
@pytest.mark.parametrize("value", ["grup:5000", 5000, ["group:5000"], "x" * 3000])
def test_rules_that_cannot_be_read_keep_all_from_being_recorded(name: str, value: object) -> None:
    found = configure({"capture": {name: value}})
    (problem,) = found.problems
    assert problem.name == f"capture.{name}"
    rules = found.settings.capture.rules()
    for scope in (GROUP, Scope(ScopeKind.PRIVATE, "tg", "1")):
        assert rules.refuse(Utterance(scope, "1", "nurse"))


def told(words: str, value: str | None, kind: str = "avoid") -> str:
    fact = {"words": words, "who": "Ann", "fact": f"Ann: {words}", "kind": kind}
    return json.dumps({"facts": [{**fact, "slot": None, "value": value}]})


async def wished(rig: Rig, words: str, value: str | None, kind: str = "avoid") -> None:
    await rig.exchange(ANNS, words, "ok")
    [wish] = [m for m in await rig.learn(told(words, value, kind)) if m.facet is Facet.INSTRUCTION]
    assert wish.kind is Kind.SEMANTIC
    claim = wish.claim and (wish.claim.attribute, wish.claim.value)
    assert claim == ((UNMENTIONED, value) if value and kind == "avoid" else None)


@pytest.mark.parametrize(
    ("wish", "value", "line", "asks", "names"),
    [
        (
            "别再提我前女友了",
            "前女友",
            "我和前女友小柔在青岛住过",
            "青岛住着怎么样",
            "我前女友住哪",
        ),
        (
            "Please don't bring up my old band again",
            "old band",
            "My old band played in Leeds",
            "Who played in Leeds?",
            "Where did my old band play?",
        ),
    ],
)
async def test_a_line_that_names_it_is_kept_out_until_it_is_named(
    rig: Rig, wish: str, value: str, line: str, asks: str, names: str
) -> None:
    await rig.keep(line, ANNS)
    assert line in await rig.texts(ANNS, asks)
    await wished(rig, wish, value)
    recalled = await rig.ask(ANNS, asks)
    assert line not in [memory.text for memory in recalled.memories]
    assert Drop.UNMENTIONED in drops(recalled).values()
    assert line in await rig.texts(ANNS, names)


async def test_a_wish_without_its_matter_keeps_nothing_out(rig: Rig) -> None:
    await rig.keep("My old band played in Leeds", ANNS)
    await wished(rig, "Please don't bring that up again", None)
    assert "My old band played in Leeds" in await rig.texts(ANNS, "Who played in Leeds?")


async def test_a_matter_that_nobody_has_named_keeps_nothing_out(rig: Rig) -> None:
    await rig.keep("My old band played in Leeds", ANNS)
    await rig.exchange(ANNS, "Please don't bring up my job again", "ok")
    await rig.learn(told("Please don't bring up my job again", "Leeds"))
    assert "My old band played in Leeds" in await rig.texts(ANNS, "Who played in Leeds?")


async def test_another_request_keeps_nothing_out(rig: Rig) -> None:
    await rig.keep("My old band played in Leeds", ANNS)
    await wished(rig, "Always praise my old band", "old band", kind="request")
    assert "My old band played in Leeds" in await rig.texts(ANNS, "Who played in Leeds?")


async def test_a_forgotten_wish_ends(rig: Rig) -> None:
    await rig.keep("My old band played in Leeds", ANNS)
    await wished(rig, "Please don't bring up my old band again", "old band")
    wishes = [m for m in await rig.memories(Kind.SEMANTIC) if m.claim is not None]
    await rig.engine.curation.forget([memory.id for memory in wishes], by="Ann (ann)")
    assert "My old band played in Leeds" in await rig.texts(ANNS, "Who played in Leeds?")


BAND = ("band", "guitars", "rehearsed")


class Topics:
    """An embedder for which texts with a word of one matter are near, and all others far."""

    async def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity("topics", "t", 2, 0.0)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        told = [any(word in text for word in BAND) for text in texts]
        return [np.array([each, not each], np.float32) for each in told]

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_documents([text]))[0]


@pytest.fixture
def by_meaning(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Rig:
    none = np.zeros(2, np.float32)
    frame = Frame(0.0, 1.0, Centre(none, none, 0.0, 0.5), Centre(none, none, 0.0, 0.5))

    async def framed(*_: object) -> Frame:
        return frame

    topics = Topics()
    monkeypatch.setattr(Calibrator, "frame", framed)
    for name in ("identity", "embed_documents", "embed_query"):
        monkeypatch.setattr(FakeEmbedder, name, staticmethod(getattr(topics, name)))
    return rig


LINE = "We rehearsed in Leeds every Friday"


async def embedded(rig: Rig) -> None:
    fingerprint = (await Topics().identity()).fingerprint
    memories = await rig.memories()
    told = await Topics().embed_documents([each.text for each in memories])
    await rig.store.set_vectors(
        fingerprint, {each.id: own for each, own in zip(memories, told, strict=True)}
    )


async def test_a_line_about_it_in_other_words_is_kept_out_by_its_vector(by_meaning: Rig) -> None:
    rig = by_meaning
    await rig.keep(LINE, ANNS)
    await rig.keep("Leeds has a new tram", ANNS, id="m2")
    await wished(rig, "Please don't bring up my old band again", "old band")
    await embedded(rig)
    recalled = await rig.ask(ANNS, "What happened in Leeds on Fridays?")
    assert LINE not in [memory.text for memory in recalled.memories]
    assert "Leeds has a new tram" in [memory.text for memory in recalled.memories]
    assert LINE in await rig.texts(ANNS, "Where in Leeds did my old band play on Fridays?")


async def test_what_is_forgotten_in_other_words_is_found_by_its_vector(by_meaning: Rig) -> None:
    rig = by_meaning
    kept = await rig.keep("Leeds has a new tram", ANNS, id="m2")
    meant = await rig.keep(LINE, ANNS)
    await embedded(rig)
    await rig.say(ANNS, "Please forget what I said about my band.")
    await rig.settle()
    [binned] = [m for m in await rig.memories() if m.standing.status is Status.BINNED]
    assert (binned.id, kept.id != binned.id) == (meant.id, True)

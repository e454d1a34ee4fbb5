"""An erasure that could not be done at once is done later: all of it, and nothing said since."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_tidemark.core.model.consent import Consent, person_in
from astrbot_plugin_tidemark.core.model.conversation import Scope, Speaker
from astrbot_plugin_tidemark.core.model.errors import StorageError
from astrbot_plugin_tidemark.core.model.memory import Extractor, Memory, Origin, Source
from astrbot_plugin_tidemark.core.ports import Work, WorkKind, WorkState
from astrbot_plugin_tidemark.core.privacy.erasure import ErasureDelayed, Extent
from astrbot_plugin_tidemark.core.records.evidence import evidence_id
from astrbot_plugin_tidemark.core.records.manual import Author, TextProblem

from ...kit import place, until
from ...samples import DAY
from .erasure_rig import ANN, BEN, GROUP, ErasureRig, erasure_rig

WORD = "quagga"
"""What Ann said before she asked to be forgotten."""


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ErasureRig]:
    monkeypatch.setattr("astrbot_plugin_tidemark.storage.connections.BUSY_SECONDS", 0.05)
    opened = await erasure_rig(tmp_path)
    yield opened
    await opened.close()


@contextmanager
def locked(here: ErasureRig, name: str) -> Iterator[None]:
    """Within it another program writes to the file."""
    with closing(sqlite3.connect(here.folder / name, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def erase(here: ErasureRig, person: Scope = ANN) -> Extent:
    return await here.rig.engine.eraser.erase(person_in(person, person.subject))


async def delayed(here: ErasureRig) -> None:
    """Ann confirms while the memories are locked."""
    with locked(here, "memories.db"), pytest.raises(ErasureDelayed, match="locked"):
        await erase(here)


async def remembered(here: ErasureRig, text: str) -> Memory:
    """What Ann has remembered by hand; it was acknowledged."""
    author = Author(Speaker("901", "Ann"), place(ANN), Source.USER, Extractor.COMMAND, "Ann")
    done = await here.rig.engine.curation.remember(text, author, important=True)
    assert not isinstance(done, TextProblem)
    return done.memory


async def waiting(here: ErasureRig) -> dict[WorkState, int]:
    found = await here.rig.journal.backlog()
    return {state: count for (kind, state), count in found.items() if kind is WorkKind.ERASE}


async def test_what_is_said_after_it_was_confirmed_stays(here: ErasureRig) -> None:
    await here.say(ANN, "901", f"I love my {WORD}", "How lovely")
    await here.say(GROUP, "901", f"My {WORD} pulls a cart", "A strong one")
    await here.say(GROUP, "902", "My goats are whole goats")
    await remembered(here, f"my {WORD} is called Zoe")
    await here.work()
    await delayed(here)
    here.rig.clock.at -= 30 * DAY
    await here.say(ANN, "901", "I keep okapis behind the chapel")
    await here.say(GROUP, "901", "My okapis eat grass")
    by_hand = await remembered(here, "my okapi is called Max")
    await here.work()
    assert await here.erase_later() == 1
    assert await here.mentions(WORD) == []
    texts = [memory.text for memory in (await here.kept()).values()]
    assert {"I keep okapis behind the chapel", "My okapis eat grass"} <= set(texts)
    assert by_hand.text in texts
    assert any("goats" in text for text in texts)
    said = await here.rig.journal.last_turns("qq:private:901", 9)
    assert [turn.text for turn in said] == ["I keep okapis behind the chapel"]
    names = await here.rig.journal.names()
    assert all(("qq", "901") in names[scope.owner] for scope in (ANN, GROUP))
    assert await waiting(here) == {}


async def test_what_was_refused_is_not_done_and_no_scope_stops_it(here: ErasureRig) -> None:
    await here.say(ANN, "901", f"I love my {WORD}")
    await here.work()
    with locked(here, "journal.db"), pytest.raises(StorageError) as caught:
        await erase(here)
    assert not isinstance(caught.value, ErasureDelayed)
    assert await here.erase_later() == 0
    assert any(WORD in memory.text for memory in (await here.kept()).values())
    odd = replace(next(iter((await here.kept()).values())), id="odd", scope="no key", text="odd")
    await here.rig.store.put([odd])
    await erase(here)
    assert set(await here.kept()) == {"odd"}


async def test_what_waits_is_done_by_the_worker_and_other_work_goes_on(here: ErasureRig) -> None:
    await here.say(ANN, "901", f"I love my {WORD}")
    await here.work()
    await delayed(here)
    here.rig.engine.start()
    await here.say(BEN, "902", "I keep goats behind the chapel")

    async def indexed() -> bool:
        return any("goats" in memory.text for memory in (await here.kept()).values())

    await until(indexed)
    # Its back-off is not over yet.
    assert await waiting(here) == {WorkState.READY: 1}
    here.rig.clock.at += 3_600
    here.rig.engine.wake()

    async def done() -> bool:
        return not await waiting(here) and not await here.mentions(WORD)

    await until(done)


async def test_one_that_fails_again_and_again_is_never_given_up_and_stops_nothing(
    here: ErasureRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.say(ANN, "901", f"I love my {WORD}")
    await here.work()
    await delayed(here)
    engine = here.rig.engine
    failures: list[object] = []

    async def broken(payload: object) -> frozenset[Scope]:
        failures.append(payload)
        raise ValueError("nobody knows why")

    with monkeypatch.context() as patched:
        patched.setattr(engine.eraser, "_accounts", broken)
        engine.start()
        for number in range(engine.worker.max_attempts + 2):
            here.rig.clock.at += 3_600
            engine.wake()
            await until(lambda number=number: len(failures) > number)
        await here.say(BEN, "902", "I keep goats behind the chapel")
        await until(lambda: here.kept())
    assert await waiting(here) == {WorkState.READY: 1}
    here.rig.clock.at += 3_600
    engine.wake()

    async def done() -> bool:
        return not await waiting(here) and not await here.mentions(WORD)

    await until(done)


async def test_choices_made_after_it_was_confirmed_stay(here: ErasureRig) -> None:
    consents = here.rig.engine.consents
    await consents.change(ANN, lambda _: Consent(shared=True, keep_days=9.0))
    await here.say(ANN, "901", f"I love my {WORD}")
    await here.work()
    await delayed(here)
    assert await consents.of(ANN) == Consent()
    await consents.change(ANN, lambda _: Consent(keep_days=30.0))
    await here.erase_later()
    assert await consents.of(ANN) == Consent(keep_days=30.0)


async def test_an_imported_memory_of_another_journal_goes_too(here: ErasureRig) -> None:
    await here.rig.keep(f"Ann keeps a {WORD}", ANN, origin=Origin(turns=(10**15,)))
    await delayed(here)
    assert await here.erase_later() == 1
    assert await here.kept() == {}


async def test_asked_twice_while_it_waits_it_goes_up_to_the_second_time(here: ErasureRig) -> None:
    await here.say(ANN, "901", f"I love my {WORD}")
    await here.work()
    await delayed(here)
    await here.say(ANN, "901", f"And another {WORD} of mine")
    await here.work()
    await delayed(here)
    assert await here.erase_later() == 2
    assert await here.mentions(WORD) == []


async def test_unreadable_records_do_not_stop_it_and_theirs_go(here: ErasureRig) -> None:
    await here.say(BEN, "902", "I keep goats behind the chapel")
    hers = [
        evidence_id(here.rig.journal.id, await here.say(scope, "901", f"my {WORD} in {scope.kind}"))
        for scope in (ANN, GROUP)
    ]
    quoting = await here.say(GROUP, "902", "My goats are whole")
    hers.append(evidence_id(here.rig.journal.id, quoting))
    await here.say(GROUP, "903", "Goats are never whole")
    his = evidence_id(here.rig.journal.id, await here.say(GROUP, "902", "Mine are"))
    await here.work()
    with closing(sqlite3.connect(here.folder / "memories.db")) as file:
        marks = ", ".join("?" for _ in (*hers, his))
        file.execute(
            "UPDATE document SET body = json_set(CAST(body AS TEXT), '$.source', 'a dream')"
            f" WHERE memory IN (SELECT row FROM memory WHERE id IN ({marks}))",
            (*hers, his),
        )
        file.commit()
    await erase(here)
    assert [record.id for record in await here.rig.store.unreadable()] == [his]
    assert await here.mentions(WORD) == []
    assert any("chapel" in memory.text for memory in (await here.kept()).values())


async def test_what_went_is_told_even_if_the_worker_was_faster_than_who_asked(
    here: ErasureRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = here.rig.engine
    await here.say(ANN, "901", f"I love my {WORD}", "How lovely")
    await here.work()
    queue = engine.consents.forget

    async def taken_at_once(person: Scope) -> Work:
        work = await queue(person)
        await engine.eraser.work(work)
        return work

    monkeypatch.setattr(engine.consents, "forget", taken_at_once)
    extent = await erase(here)
    assert extent.turns == 2
    assert extent.memories >= 1
    assert await here.mentions(WORD) == []

"""Generated texts and memories look like a chat's, and a seed makes the same ones again."""

from collections import Counter

from astrbot_plugin_tidemark.benchmarks.corpus import Corpus
from astrbot_plugin_tidemark.benchmarks.population import GeneratedScope, attach, embedded, fill
from astrbot_plugin_tidemark.core.embedding.hashed import HashedEmbedder
from astrbot_plugin_tidemark.core.languages.terms import content_terms, terms
from astrbot_plugin_tidemark.core.model.memory import Kind
from astrbot_plugin_tidemark.tests.reference_store import ReferenceStore

NOW = 1_800_000_000.0
SENTENCES = Corpus(7).sentences(600)


def test_a_seed_makes_the_same_sentences_and_queries_again() -> None:
    one, other = Corpus(3), Corpus(3)
    assert one.sentences(20) == other.sentences(20)
    assert [one.query(SENTENCES) for _ in range(9)] == [other.query(SENTENCES) for _ in range(9)]
    assert Corpus(4).sentences(20) != Corpus(3).sentences(20)


def test_both_languages_are_spoken() -> None:
    chinese = sum("。" in sentence for sentence in SENTENCES)
    assert 200 < chinese < 400


def test_a_few_terms_are_common_and_most_are_rare() -> None:
    counts = Counter(term for sentence in SENTENCES for term in content_terms(sentence))
    ranked = [times for _, times in counts.most_common()]
    assert ranked[0] > 20 * ranked[len(ranked) // 2]


def test_some_queries_share_terms_with_what_is_stored_and_some_share_none() -> None:
    known = {term for sentence in SENTENCES for term in terms(sentence)}
    corpus = Corpus(7)
    shared = [bool(known & content_terms(corpus.query(SENTENCES))) for _ in range(200)]
    assert 20 < shared.count(False) < 100


def test_six_in_ten_memories_are_evidence_and_some_of_it_has_been_distilled() -> None:
    memories = list(GeneratedScope(0, SENTENCES[:100], NOW))
    evidence = {turn for m in memories if m.kind is Kind.EVIDENCE for turn in m.origin.turns}
    semantic = [m for m in memories if m.kind is Kind.SEMANTIC]
    assert len(evidence) == 60
    assert all(set(memory.origin.turns) <= evidence for memory in semantic)


async def test_a_store_is_filled_with_memories_and_their_vectors() -> None:
    store, embedder = ReferenceStore(), HashedEmbedder()
    settlement = GeneratedScope(0, SENTENCES[:50], NOW)
    filled = await fill(store, iter(settlement), batch=20)
    vectors = await embedded(embedder, iter(settlement))
    fingerprint = (await embedder.identity()).fingerprint
    ids = [memory.id for memory in settlement]
    await attach(store, fingerprint, dict(zip(ids, vectors, strict=True)), batch=20)
    assert filled.count == 50
    assert await store.embedded_count(fingerprint) == (50, 50)

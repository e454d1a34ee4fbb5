"""Generated sentences, Chinese and English, with a Zipf-like vocabulary and topics.

Word frequencies fall as 1 / (rank + 2.7) (Mandelbrot's form of Zipf's law). Half of a sentence's
words belong to its topic, so that queries meet many partial matches, as in a real chat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

TOPICS = 12
_SHARED, _TOPICAL = 3_000, 400
_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"
_IDEOGRAPHS = [chr(0x4E00 + 11 * number) for number in range(1_200)]
_UNHEARD_IDEOGRAPHS = [chr(0x3400 + 7 * number) for number in range(600)]
_PARTICLES = {
    "zh": ("的", "了", "我", "是", "在", "也", "就", "和"),
    "en": ("the", "a", "to", "of", "I", "is", "in", "and"),
}
_ENDS = {"zh": ("吗？", "呢？"), "en": ("?",)}


type Coin = Callable[[Random], str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by rank, with their cumulated Zipf weights."""

    words: Sequence[str]
    weights: Sequence[float]

    def draw(self, random: Random) -> str:
        """One word by its frequency."""
        (word,) = random.choices(self.words, cum_weights=self.weights)
        return word


@dataclass(frozen=True, slots=True)
class Language:
    """What sentences of one language are made of; `unheard` words occur in no sentence."""

    code: str
    space: str
    shared: Vocabulary
    topics: Sequence[Vocabulary]
    unheard: Vocabulary


class Corpus:
    """Sentences and queries in an order that the seed decides."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._languages = (
            _language(self._random, "zh", "", _chinese_word, _unheard_chinese_word),
            _language(self._random, "en", " ", _english_word, _unheard_english_word),
        )

    def sentence(self, words: int | None = None) -> str:
        """8..18 words (or as many as asked for) about a random topic."""
        language = self._random.choice(self._languages)
        topic = self._random.choice(language.topics)
        return self._joined(language, topic, words or self._random.randint(8, 18))

    def sentences(self, count: int) -> list[str]:
        """So many of them."""
        return [self.sentence() for _ in range(count)]

    def query(self, stored: Sequence[str]) -> str:
        """A question: half quote a stored sentence, a quarter share a topic, a quarter nothing."""
        chosen = self._random.random()
        if chosen < 0.5:
            return self._excerpt(self._random.choice(stored))
        language = self._random.choice(self._languages)
        vocabulary = self._random.choice(language.topics) if chosen < 0.75 else language.unheard
        words = [vocabulary.draw(self._random) for _ in range(self._random.randint(3, 6))]
        return language.space.join(words) + self._random.choice(_ENDS[language.code])

    def _joined(self, language: Language, topic: Vocabulary, count: int) -> str:
        words: list[str] = []
        for _ in range(count):
            if self._random.random() < 0.3:
                words.append(self._random.choice(_PARTICLES[language.code]))
            vocabulary = topic if self._random.random() < 0.5 else language.shared
            words.append(vocabulary.draw(self._random))
        return language.space.join(words) + ("。" if language.code == "zh" else ".")

    def _excerpt(self, text: str) -> str:
        if " " not in text:
            start = self._random.randrange(max(1, len(text) - 8))
            return text[start : start + 8] + "吗？"
        words = text.rstrip(".").split()
        start = self._random.randrange(max(1, len(words) - 5))
        return " ".join(words[start : start + 5]) + "?"


def _vocabulary(words: Sequence[str]) -> Vocabulary:
    weights = list(accumulate(1.0 / (rank + 2.7) for rank in range(1, len(words) + 1)))
    return Vocabulary(words, weights)


def _language(random: Random, code: str, space: str, word: Coin, unheard: Coin) -> Language:
    def some(count: int, coin: Coin) -> Vocabulary:
        return _vocabulary(list(dict.fromkeys(coin(random) for _ in range(count))))

    topics = [some(_TOPICAL, word) for _ in range(TOPICS)]
    return Language(code, space, some(_SHARED, word), topics, some(_TOPICAL, unheard))


def _chinese_word(random: Random) -> str:
    return "".join(random.choices(_IDEOGRAPHS, k=2))


def _unheard_chinese_word(random: Random) -> str:
    return "".join(random.choices(_UNHEARD_IDEOGRAPHS, k=2))


def _english_word(random: Random) -> str:
    return "".join(
        random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in range(random.randint(2, 4))
    )


def _unheard_english_word(random: Random) -> str:
    return "".join(random.choice("jqwxy") + random.choice(_VOWELS) for _ in range(3))

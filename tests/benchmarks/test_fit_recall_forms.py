"""The same question as others write it."""

from random import Random

from astrbot_plugin_tidemark.benchmarks.datasets.world import Probe
from astrbot_plugin_tidemark.benchmarks.fit_recall_forms import Form, in_every_form
from astrbot_plugin_tidemark.benchmarks.fit_recall_worlds import Asked


class Always(Random):
    """What may happen happens."""

    def random(self) -> float:
        return 0.0


def forms_of(text: str, kind: str, language: str = "zh") -> dict[str, str]:
    asked = Asked(Probe(text, frozenset(), kind), kind, "b")
    found = list(in_every_form([asked], language, Always()))
    assert {one.hand for one in found} == {"b"}
    return {one.form: one.probe.text for one in found}


def test_a_mark_is_taken_away_or_put_behind_what_asks() -> None:
    assert forms_of("Who came?", "need", "en") == {
        Form.AS_GIVEN: "Who came?",
        Form.UNMARKED: "Who came",
    }
    assert forms_of("法国首都是哪", "knowledge")[Form.MARKED] == "法国首都是哪？"
    assert forms_of("今天下雨了", "remark").keys() == {Form.AS_GIVEN}
    assert forms_of("吃饭了吗？", "chit_chat").keys() == {Form.AS_GIVEN}


def test_a_question_of_oneself_is_asked_without_its_pronoun_in_chinese() -> None:
    assert forms_of("我养的猫叫什么", "need")[Form.DROPPED] == "养的猫叫什么"
    assert Form.DROPPED not in forms_of("我们去哪", "need")
    assert Form.DROPPED not in forms_of("我养的猫叫什么", "knowledge")
    assert Form.DROPPED not in forms_of("What is my name?", "need", "en")

"""What rule lists mean."""

import pytest
from astrbot_plugin_tidemark.core.model.consent import RecordingRules, Utterance, entries_in
from astrbot_plugin_tidemark.core.model.conversation import Scope, ScopeKind

GROUP = Scope(ScopeKind.GROUP, "qq", "5000")
PRIVATE = Scope(ScopeKind.PRIVATE, "qq", "901")


def rules(*, allow: str = "", deny: str = "") -> RecordingRules:
    allowed, denied = entries_in(allow), entries_in(deny)
    assert allowed is not None
    assert denied is not None
    return RecordingRules(allowed, denied)


IN_GROUP = Utterance(GROUP, "901", "nurse")
ALONE = Utterance(PRIVATE, "901", "nurse")


def test_a_denial_comes_first_and_a_person_is_meant_by_any_account() -> None:
    assert not rules().refuse(IN_GROUP)
    assert not rules().refuse(ALONE)
    assert rules(allow="group:5000", deny="person:901").refuse(IN_GROUP)
    elsewhere = Utterance(GROUP, "901", joined=frozenset({("tg", "ann")}))
    assert rules(deny="person:tg/ann").refuse(elsewhere)
    assert not rules(allow="person:ann").refuse(elsewhere)
    nobody = Utterance(GROUP, "901")
    assert rules(allow="persona:nurse").refuse(nobody)
    assert not rules(deny="persona:nurse").refuse(nobody)
    odd = Utterance(Scope(ScopeKind.GROUP, "tg", "my group:7"), "1")
    assert rules(deny="group:my%20group:7").refuse(odd)


@pytest.mark.parametrize(
    ("deny", "in_group", "alone"),
    [
        ("group:5000", True, False),
        ("group:qq/5000", True, False),
        ("group:tg/5000", False, False),
        ("group:*", True, False),
        ("private:901", False, True),
        ("private:*", False, True),
        ("person:901", True, True),
        ("person:qq/901", True, True),
        ("person:902", False, False),
        ("platform:qq", True, True),
        ("persona:nurse", True, True),
        ("PERSONA：nurse，group:1", True, True),
        ("persona:default", False, False),
    ],
)
def test_a_denied_platform_group_or_person_is_out(deny: str, in_group: bool, alone: bool) -> None:
    assert rules(deny=deny).refuse(IN_GROUP) is in_group
    assert rules(deny=deny).refuse(ALONE) is alone


@pytest.mark.parametrize(
    ("allow", "in_group", "alone"),
    [
        ("group:5000", False, False),
        ("group:1", True, False),
        ("private:902", False, True),
        ("person:902 person:901", False, False),
        ("person:902", True, True),
        ("platform:tg", True, True),
        ("persona:nurse group:1", True, False),
        ("persona:cook", True, True),
    ],
)
def test_of_a_kind_allowed_only_the_named_is_kept(allow: str, in_group: bool, alone: bool) -> None:
    assert rules(allow=allow).refuse(IN_GROUP) is in_group
    assert rules(allow=allow).refuse(ALONE) is alone


@pytest.mark.parametrize("text", ["5000", "group:", ":5000", "grup:5000", "group 5000", "ok:1,"])
def test_what_is_no_list_of_rules_is_not_read(text: str) -> None:
    assert entries_in(text) is None

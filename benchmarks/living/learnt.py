"""What learning from a life has cost, and how many of its recorded observations it has kept."""

from collections import Counter
from collections.abc import Iterable

from .installation import Installation
from .script import Life


def learning_of(life: Life, installation: Installation) -> Counter[str]:
    """Calls, tokens, messages; of the observations, those `recorded` of what was said, `learnt`."""
    session, model = life.place.session, installation.model
    said = [each for each in life.recorded if not each.rests_on.isdisjoint(installation.seqs)]
    return Counter(
        calls=model.calls[session],
        tokens=model.tokens[session],
        messages=installation.messages[session],
        recorded=len(said),
        learnt=sum(each.text in installation.learnt for each in said),
    )


def summed(counted: Iterable[Counter[str]]) -> Counter[str]:
    """All of them together."""
    found = Counter[str]()
    for each in counted:
        found.update(each)
    return found

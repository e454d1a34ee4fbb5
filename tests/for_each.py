"""One test over many cases: where a case costs next to nothing, a test of its own costs more."""

from collections.abc import Callable, Iterable


def for_each[T](
    cases: Iterable[T], called: Callable[[T], object] = str
) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Make a test of a check: it fails with every case that breaks it, each by its name."""
    every = tuple(cases)

    def over_all(check: Callable[[T], None]) -> Callable[[], None]:
        def test() -> None:
            assert every, "no case"
            broken = list[str]()
            for case in every:
                try:
                    check(case)
                except AssertionError as error:
                    broken.append(f"{called(case)}: {error}")
            assert broken == [], "\n".join(broken)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return over_all

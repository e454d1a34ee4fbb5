"""Results derived from a frozen value, cached on the value itself."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate


class KeepsDerived:
    """A value that caches what is derived from it; a changed copy starts empty."""

    __slots__ = ("derived",)

    derived: dict[object, Any]

    def made_once[T](self, make: Callable[..., T], *by: Hashable) -> T:
        """What `make` gives of the value and `by`, on which alone it depends; computed once."""
        try:
            made = self.derived
        except AttributeError:
            made: dict[object, Any] = {}
            # The value is frozen, and stays equal to what it was.
            object.__setattr__(self, "derived", made)
        # Thousands of times a recall, and hardly ever with anything beside the value.
        key = (make, *by) if by else make
        if key not in made:
            made[key] = make(self, *by)
        return made[key]


def once[V: KeepsDerived, **K, T](
    make: Callable[Concatenate[V, K], T],
) -> Callable[Concatenate[V, K], T]:
    """The function as a decorator returns it: computed once for each value and `by`."""

    @wraps(make)
    def made(value: V, /, *by: K.args, **_: K.kwargs) -> T:
        # Some thousand times a recall: without a further call where it is known.
        try:
            return value.derived[(make, *by) if by else make]
        except (AttributeError, KeyError):
            return value.made_once(make, *by)

    return made

"""Results derived from a frozen value, cached on the value itself."""

from collections.abc import Callable
from functools import wraps
from typing import Any


class KeepsDerived:
    """A value that caches what is derived from it; a changed copy starts empty."""

    __slots__ = ("_made",)

    _made: dict[object, Any]

    def made_once[V: "KeepsDerived", T](self: V, make: Callable[[V], T]) -> T:
        """The result of `make`, which must depend on the value alone; computed on first use."""
        try:
            made = self._made
        except AttributeError:
            made: dict[object, Any] = {}
            # The value is frozen, and stays equal to what it was.
            object.__setattr__(self, "_made", made)
        if make not in made:
            made[make] = make(self)
        return made[make]


def once[V: KeepsDerived, T](make: Callable[[V], T]) -> Callable[[V], T]:
    """The function as a decorator returns it: computed once for each value."""

    @wraps(make)
    def made(value: V) -> T:
        return value.made_once(make)

    return made

"""What is made of a value again and again, kept with the value itself for as long as it lives."""

from collections.abc import Callable
from functools import wraps
from typing import Any


class Keeping:
    """A value with room for it. A changed value is another one, and keeps nothing yet."""

    __slots__ = ("_made",)

    _made: dict[object, Any]

    def made_once[V: "Keeping", T](self: V, make: Callable[[V], T]) -> T:
        """What `make`, which depends on nothing but the value, makes of it: made the first time."""
        try:
            made = self._made
        except AttributeError:
            made: dict[object, Any] = {}
            # The value is frozen, and stays equal to what it was.
            object.__setattr__(self, "_made", made)
        if make not in made:
            made[make] = make(self)
        return made[make]


def once[V: Keeping, T](make: Callable[[V], T]) -> Callable[[V], T]:
    """The same function, each value asked once."""

    @wraps(make)
    def made(value: V) -> T:
        return value.made_once(make)

    return made

"""Methods that only call one function, inside a read or a write."""

from collections.abc import Callable
from functools import wraps
from sqlite3 import Connection
from types import CoroutineType
from typing import Any, Concatenate, Protocol

from .connections import Database

type Function[**P, R] = Callable[Concatenate[Connection, P], R]


class Method[**P, R](Protocol):
    """An asynchronous method."""

    def __call__(
        _method,  # noqa: N805 - `self` is whose method it is
        self: Any,
        *args: P.args,
        **options: P.kwargs,
    ) -> "CoroutineType[Any, Any, R]": ...


class _OverDatabase(Protocol):
    """Whose methods these become."""

    @property
    def _database(self) -> Database: ...


def reads[**P, R](function: Function[P, R]) -> Method[P, R]:
    """A method that answers what the function reads in one snapshot."""

    @wraps(function)
    async def method(self: _OverDatabase, *args: P.args, **options: P.kwargs) -> R:
        return await self._database.read(lambda con: function(con, *args, **options))

    return method


def writes[**P, R](function: Function[P, R], *, brief: bool = False) -> Method[P, R]:
    """A method that does what the function does in one transaction; `brief` ones may share it."""

    @wraps(function)
    async def method(self: _OverDatabase, *args: P.args, **options: P.kwargs) -> R:
        return await self._database.write(lambda tx: function(tx, *args, **options), brief=brief)

    return method

"""The messenger's side of OneBot v11: members who speak in private and in groups.

It dials the host's reverse WebSocket as NapCat or Lagrange would, pushes message events and
answers the host's API calls; what the bot sends is kept in order.
"""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from .root import ONEBOT_TOKEN

BOT = 10_001
_SENDING = {
    "send_msg",
    "send_private_msg",
    "send_group_msg",
    "send_private_forward_msg",
    "send_group_forward_msg",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot: to a group, or (`group` None) to a user in private."""

    id: int
    user: int | None
    group: int | None
    text: str


class OneBot:
    """One connection of the bot's account. `names` are the members' nicknames by user id.

    `cards` are the names that members bear in every group, `groups` the groups' own, by id.
    """

    def __init__(self, socket: ClientConnection, names: Mapping[int, str]) -> None:
        self.names = dict(names)
        self.cards: dict[int, str] = {}
        self.roles: dict[int, str] = {}
        self.groups: dict[int, str] = {}
        self.sent: list[Sent] = []
        self.unanswered: list[str] = []
        self._socket = socket
        self._ids = itertools.count(1)
        self._messages: dict[int, dict[str, Any]] = {}
        self._news = asyncio.Condition()

    @classmethod
    @asynccontextmanager
    async def connected(
        cls, port: int, names: Mapping[int, str] | None = None, *, token: str = ONEBOT_TOKEN
    ) -> AsyncIterator[Self]:
        """Connect to a host that is ready; disconnects at the end."""
        headers = {
            "X-Self-ID": str(BOT),
            "X-Client-Role": "Universal",
            "Authorization": f"Bearer {token}",
        }
        url = f"ws://127.0.0.1:{port}/ws"
        async with connect(url, additional_headers=headers, proxy=None, max_size=None) as socket:
            client = cls(socket, names or {})
            reading = asyncio.create_task(client._read())
            try:
                await client._push({"post_type": "meta_event", "meta_event_type": "lifecycle"})
                yield client
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def say(
        self,
        user: int,
        text: str,
        *,
        group: int | None = None,
        mention: bool = False,
        reply_to: int | None = None,
        at: float | None = None,
        message_id: int | None = None,
        media: Sequence[tuple[str, Mapping[str, Any]]] = (),
    ) -> int:
        """One message; `mention` puts @bot before it. Returns its message id, given or new.

        `media` are segments that follow the text, by type and data: "image", "record", "video" or
        "file". Without a text there is no segment of it.
        """
        message_id = next(self._ids) if message_id is None else message_id
        segments: list[dict[str, Any]] = []
        if reply_to is not None:
            segments.append({"type": "reply", "data": {"id": str(reply_to)}})
        if mention:
            segments.append({"type": "at", "data": {"qq": str(BOT)}})
        if text:
            segments.append({"type": "text", "data": {"text": f" {text}" if mention else text}})
        segments += [{"type": kind, "data": dict(data)} for kind, data in media]
        event = self._event(user, group, message_id, segments, text)
        if at is not None:
            event["time"] = int(at)
        self._messages[message_id] = event
        await self._push(event)
        return message_id

    async def recall(self, user: int, message_id: int, *, group: int | None = None) -> None:
        """Somebody recalls a message of theirs."""
        notice: dict[str, Any] = {
            "post_type": "notice",
            "notice_type": "friend_recall" if group is None else "group_recall",
            "user_id": user,
            "message_id": message_id,
        }
        if group is not None:
            notice |= {"group_id": group, "operator_id": user}
        await self._push(notice)

    async def ask(
        self, user: int, text: str, *, group: int | None = None, timeout: float = 60.0, **how: Any
    ) -> str:
        """Say it and return the bot's next message in that chat. Raises TimeoutError."""
        seen = len(self.sent)
        await self.say(user, text, group=group, **how)
        return await self.next_reply(seen, user=user, group=group, timeout=timeout)

    async def next_reply(
        self,
        seen: int,
        *,
        user: int,
        group: int | None = None,
        timeout: float = 60.0,
        containing: str = "",
    ) -> str:
        """The first message to that chat, with this in it, after `seen` ones of `sent`."""

        def found() -> Sent | None:
            later = (s for s in self.sent[seen:] if containing in s.text)
            return next((s for s in later if _is_for(s, user, group)), None)

        async with asyncio.timeout(timeout), self._news:
            await self._news.wait_for(lambda: found() is not None)
        reply = found()
        assert reply is not None
        return reply.text

    def _event(
        self,
        user: int,
        group: int | None,
        message_id: int,
        segments: list[dict[str, Any]],
        text: str,
    ) -> dict[str, Any]:
        sender = {"user_id": user, "nickname": self._name(user), "card": ""}
        event: dict[str, Any] = {
            "post_type": "message",
            "message_type": "private" if group is None else "group",
            "sub_type": "friend" if group is None else "normal",
            "message_id": message_id,
            "user_id": user,
            "message": segments,
            "raw_message": text,
            "message_format": "array",
            "font": 0,
            "sender": sender,
        }
        if group is not None:
            event |= {"group_id": group, "group_name": self._group_name(group)}
            sender |= {"role": "member", "card": self.cards.get(user, "")}
        return event

    def _name(self, user: int) -> str:
        return self.names.get(user, f"user{user}")

    def _group_name(self, group: int) -> str:
        return self.groups.get(group, f"group {group}")

    async def _push(self, event: dict[str, Any]) -> None:
        document = {"time": int(time.time()), "self_id": BOT} | event
        await self._socket.send(json.dumps(document))

    async def _read(self) -> None:
        try:
            async for raw in self._socket:
                call = json.loads(raw)
                data = self._answer(call["action"], call.get("params") or {})
                done = {"status": "ok", "retcode": 0} if data is not None else _FAILED
                answer = {**done, "data": data, "echo": call.get("echo")}
                await self._socket.send(json.dumps(answer, ensure_ascii=False))
                async with self._news:
                    self._news.notify_all()
        except ConnectionClosed:
            return

    def _answer(self, action: str, p: dict[str, Any]) -> Any:
        """The data the messenger returns for an API call; None for one it does not know."""
        if action in _SENDING:
            return {"message_id": self._keep(p)}
        match action:
            case "get_login_info":
                return {"user_id": BOT, "nickname": "bot"}
            case "get_stranger_info":
                return {"user_id": p["user_id"], "nickname": self._name(int(p["user_id"]))}
            case "get_group_info":
                return {
                    "group_id": p["group_id"],
                    "group_name": self._group_name(int(p["group_id"])),
                }
            case "get_group_member_info":
                return self._member(int(p["user_id"]))
            case "get_group_member_list":
                return [self._member(user) for user in self.names]
            case "get_msg":
                return self._messages.get(int(p["message_id"]))
            case _:
                self.unanswered.append(action)
                return None

    def _member(self, user: int) -> dict[str, Any]:
        card = self.cards.get(user, "")
        return {
            "user_id": user,
            "nickname": self._name(user),
            "card": card,
            "role": self.roles.get(user, "member"),
        }

    def _keep(self, p: dict[str, Any]) -> int:
        user, group = p.get("user_id"), p.get("group_id")
        message_id = next(self._ids)
        text = _text(p.get("message") or p.get("messages") or "")
        where = int(group) if group else None
        self.sent.append(Sent(message_id, int(user) if user else None, where, text))
        said = [{"type": "text", "data": {"text": text}}]
        self._messages[message_id] = self._event(BOT, where, message_id, said, text)
        return message_id


_FAILED: dict[str, Any] = {"status": "failed", "retcode": 1404}


def _is_for(sent: Sent, user: int, group: int | None) -> bool:
    return sent.group == group if group is not None else sent.group is None and sent.user == user


def _text(message: Any) -> str:
    """Text of a message in array or string form; a forwarded one is the text of its nodes."""
    if isinstance(message, str):
        return message
    parts: list[str] = []
    for segment in message:
        data = segment.get("data", {})
        if segment.get("type") == "node":
            parts.append(_text(data.get("content", "")))
        elif segment.get("type") == "text":
            parts.append(data.get("text", ""))
    return "".join(parts)

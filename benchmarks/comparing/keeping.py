"""What a system came to over one life, kept in a file so that an interrupted run goes on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Lived:
    """The records of what was asked, and what it cost."""

    records: list[dict[str, Any]]
    seconds_hearing: float
    model_calls: int
    megabytes: float
    processor_seconds: float


@dataclass(frozen=True, slots=True)
class Keeping:
    """Files in a folder; None: nothing is kept. `measured` are the options that decide figures."""

    folder: Path | None
    measured: str

    def find(self, *names: str) -> Lived | None:
        """What was kept under the names, by a run with the same options."""
        told = self.read(*names)
        return None if told is None else Lived(**told)

    def keep(self, lived: Lived, *names: str) -> None:
        """Whole or not at all."""
        self.write(asdict(lived), *names)

    def read(self, *names: str) -> dict[str, Any] | None:
        """The same of any document."""
        file = self._file(names)
        if file is None or not file.is_file():
            return None
        return json.loads(file.read_text("utf-8"))

    def write(self, document: Mapping[str, Any], *names: str) -> None:
        """The same of any document."""
        file = self._file(names)
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        fresh.replace(file)

    def _file(self, names: tuple[str, ...]) -> Path | None:
        if self.folder is None:
            return None
        named = repr([self.measured, *names])
        digest = blake2b(named.encode(), digest_size=10).hexdigest()
        return self.folder / f"{digest}.json"

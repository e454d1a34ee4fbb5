"""What was measured, kept in files so that an interrupted run goes on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Keeping:
    """Files in a folder; None: nothing is kept. `measured` are the options that decide figures."""

    folder: Path | None
    measured: str

    def read(self, *names: str) -> dict[str, Any] | None:
        """What was kept under the names, by a run with the same options."""
        file = self._file(names)
        if file is None or not file.is_file():
            return None
        return json.loads(file.read_text("utf-8"))

    def write(self, document: Mapping[str, Any], *names: str) -> None:
        """Whole or not at all."""
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

"""Where a Chroma server is and who we are to it."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

DEFAULTS = ("default_tenant", "default_database")
"""Tenant and database of a server on which nobody has made others."""


@dataclass(frozen=True, slots=True)
class ChromaServer:
    """Address and credentials. Every call ends after `timeout_seconds`.

    `token` is sent as the bearer of `Authorization` and as `X-Chroma-Token`. `installation` tells
    bots on one server apart; "" for the id kept in the data folder.
    """

    host: str
    port: int = 8000
    ssl: bool = False
    token: str = field(default="", repr=False)
    tenant: str = DEFAULTS[0]
    database: str = DEFAULTS[1]
    installation: str = ""
    timeout_seconds: float = 10.0

    @property
    def address(self) -> str:
        """For people and for requests."""
        return f"{'https' if self.ssl else 'http'}://{self.host}:{self.port}"

    def headers(self) -> dict[str, str]:
        """What every request carries."""
        if not self.token:
            return {}
        return {"Authorization": f"Bearer {self.token}", "X-Chroma-Token": self.token}


def server_at(address: str) -> ChromaServer | None:
    """The server at http(s)://host:port/tenant/database, of which the host alone has to be there.

    None where it is no such address.
    """
    try:
        parts = urlsplit(address.strip())
        port, host = parts.port, parts.hostname
    except ValueError:
        return None
    ssl = parts.scheme == "https"
    where = [unquote(part) for part in parts.path.split("/") if part] or [*DEFAULTS]
    more = parts.username or parts.password or parts.query or parts.fragment
    if not host or more or port == 0 or len(where) != 2 or not (ssl or parts.scheme == "http"):
        return None
    name = f"[{host}]" if ":" in host else host
    return ChromaServer(name, port or (443 if ssl else 8000), ssl, "", where[0], where[1])

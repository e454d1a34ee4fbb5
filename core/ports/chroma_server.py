"""Where a Chroma server is and who we are to it."""

from dataclasses import dataclass, field


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
    tenant: str = "default_tenant"
    database: str = "default_database"
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

"""The plugin's side of the host: the only code in core that imports AstrBot."""

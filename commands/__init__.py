"""The chat commands and the web resources: functions from a request to text or JSON."""

"""`/memory` and its sub-commands: plain functions from a request to text, no host in sight."""

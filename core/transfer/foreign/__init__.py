"""Memories of other programs: what their files hold, told as rows that a chat can be found for."""

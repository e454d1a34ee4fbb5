"""`/memory` in chats: each command a function from a request to text."""

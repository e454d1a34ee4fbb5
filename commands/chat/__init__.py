"""TODO room commands/chat"""

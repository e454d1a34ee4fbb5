"""TODO room core/sleep"""

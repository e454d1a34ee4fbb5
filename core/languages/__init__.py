"""TODO room core/languages"""

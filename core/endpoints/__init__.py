"""TODO room core/endpoints"""

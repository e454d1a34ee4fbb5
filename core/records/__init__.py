"""TODO room core/records"""

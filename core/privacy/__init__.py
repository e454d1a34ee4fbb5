"""TODO room core/privacy"""

"""TODO room core/actions"""

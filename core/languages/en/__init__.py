"""TODO room core/languages/en"""

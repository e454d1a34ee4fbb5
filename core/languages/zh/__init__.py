"""TODO room core/languages/zh"""

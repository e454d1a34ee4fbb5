"""TODO room core/engine"""

"""TODO room core/queue"""

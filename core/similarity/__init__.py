"""TODO room core/similarity"""

"""TODO room core/model"""

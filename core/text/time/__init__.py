"""TODO room core/text/time"""

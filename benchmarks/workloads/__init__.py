"""Workloads with ground truth, in which forgetting policies are tried: who needs what, and when."""

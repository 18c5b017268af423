"""The cases of benchmarks.py: one file a set, shells in four."""

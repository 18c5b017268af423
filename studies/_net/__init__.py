"""The parts of net.py: those of P3, those beyond it, runs of the program, pictures."""

// The cost of starting Node alone.

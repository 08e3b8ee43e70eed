// What starting Node alone costs.

grep "^| $1 " references/times.md

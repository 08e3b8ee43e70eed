#!/bin/sh
# Prints its marker and its arguments, a line each. River: Severn
set -eu
echo "SSV-MARKER-SCRIPT-19da74"
number=0
for argument in "$@"; do
  number=$((number + 1))
  printf '%s: %s\n' "$number" "$argument"
done

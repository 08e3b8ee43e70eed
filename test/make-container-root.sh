#!/bin/sh
# Makes the root folder of an image from the programs of this machine, because no registry is needed then.
# Usage: make-root.sh FOLDER NODE
set -eu
root=$1
mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/lib64" "$root/etc" "$root/proc" "$root/dev" "$root/sys" "$root/run"
mkdir -m 1777 "$root/tmp"
ln -s usr/bin "$root/bin"
ln -s usr/lib "$root/lib"

# Copies a program and its libraries.
add() {
  cp -L "$1" "$root/usr/bin/${2:-$(basename "$1")}"
  ldd "$1" 2> /dev/null | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    [ -e "$root$library" ] || cp -L "$library" "$root$library"
  done
}

for name in sh bash env cat sleep ls grep sed mkdir rm mv cp tr wc true id head kill; do
  add "$(command -v "$name" | grep / || echo "/usr/bin/$name")"
done
add "$2" node
# The one of the system, not of a version manager.
if [ -x /usr/bin/python3 ]; then
  add /usr/bin/python3
  library=$(/usr/bin/python3 -c 'import os; print(os.path.dirname(os.__file__))')
  mkdir -p "$root$(dirname "$library")"
  cp -r "$library" "$root$library"
fi

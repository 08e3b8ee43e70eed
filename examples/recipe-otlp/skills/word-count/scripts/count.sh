echo "$1" | wc -w

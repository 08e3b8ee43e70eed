echo "$1" > "$OUTPUT_DIR/text.txt"
echo "{\"words\": $(echo "$1" | wc -w)}"

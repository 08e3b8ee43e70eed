/** The lines that a change removes and adds, without the equal lines before and after them. */
export function diffLines({
  oldText = "",
  newText,
}: {
  readonly oldText: string | undefined;
  readonly newText: string;
}) {
  const [before, after] = [linesOf(oldText), linesOf(newText)];
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

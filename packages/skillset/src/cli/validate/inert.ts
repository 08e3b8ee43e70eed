/**
 * Text for a log that a CI service reads for commands, without any. GitHub obeys `::command::` at the start of a line
 * and `##[command]` anywhere in it; other services obey `##name[command]`. Both may come from the names of folders.
 */
export function inert(text: string): string {
  return text.replace(/^([ \t]*)(?=::)/gm, "$1./").replace(/##(?=\w*\[)/g, "## ");
}

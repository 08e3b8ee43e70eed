/**
 * Disables commands in text for the log of a CI service. GitHub runs `::command::` at the start of a line and
 * `##[command]` anywhere in it; other services run `##name[command]`. Names of folders can contain either.
 */
export function inert(text: string): string {
  return text.replace(/^([ \t]*)(?=::)/gm, "$1./").replace(/##(?=\w*\[)/g, "## ");
}

/** The same for JSON, as another spelling of the same values. Its lines never start with a colon. */
export function inertJson(json: string): string {
  return json.replace(/##(?=\w*\[)/g, "#\\u0023");
}

/** The same for the content of an XML element. */
export function inertXml(xml: string): string {
  return xml.replace(/^([ \t]*):(?=:)/gm, "$1&#58;").replace(/##(?=\w*\[)/g, "#&#35;");
}

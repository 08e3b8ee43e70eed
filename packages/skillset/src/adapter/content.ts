/** The content of a message, an item or a tool's output: a text, or parts of which some are texts. */
type Content = string | readonly object[] | null | undefined;

/** Returns all text in the content that a model reads. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  // Pictures and files add no empty lines, so a message that starts with a picture still starts with `/name`.
  return (content ?? []).flatMap((part) => ("text" in part && part.text ? [String(part.text)] : [])).join("\n");
}

/** Returns the content with each text changed. */
export function mapContent(content: Content, change: (text: string) => string): Content {
  if (typeof content === "string") return change(content);
  return content?.map((part) => ("text" in part ? { ...part, text: change(String(part.text)) } : part));
}

/**
 * Returns the content with its texts replaced; pictures and files stay. A string stays a string, because some endpoints
 * accept nothing else. `type` is the API's name for a text part.
 */
export function replaceContent(content: Content, texts: readonly string[], type: string): Content {
  if (typeof content === "string") return texts.join("\n\n");
  // When only texts are added, the user's own parts stay as they are, among their pictures.
  if (texts.at(-1) === contentText(content))
    return [...texts.slice(0, -1).map((text) => ({ type, text })), ...(content ?? [])];
  return [...texts.map((text) => ({ type, text })), ...(content ?? []).filter((part) => !("text" in part))];
}

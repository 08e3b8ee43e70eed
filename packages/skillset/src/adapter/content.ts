/** What a message, an item or a tool's output holds: a text, or parts of which some are texts. */
type Content = string | readonly object[] | null | undefined;

/** Everything in it that a model reads. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  // Without empty lines for pictures and files: a message that starts with one still starts with `/name`.
  return (content ?? []).flatMap((part) => ("text" in part && part.text ? [String(part.text)] : [])).join("\n");
}

/** The same with each text changed. */
export function mapContent(content: Content, change: (text: string) => string): Content {
  if (typeof content === "string") return change(content);
  return content?.map((part) => ("text" in part ? { ...part, text: change(String(part.text)) } : part));
}

/**
 * The same in other words; pictures and files stay. A text stays one text, because some endpoints take nothing else.
 * `type` is what the API calls a part that is a text.
 */
export function replaceContent(content: Content, texts: readonly string[], type: string): Content {
  if (typeof content === "string") return texts.join("\n\n");
  // The person's own words stay the parts that they are, among their pictures.
  if (texts.at(-1) === contentText(content))
    return [...texts.slice(0, -1).map((text) => ({ type, text })), ...(content ?? [])];
  return [...texts.map((text) => ({ type, text })), ...(content ?? []).filter((part) => !("text" in part))];
}

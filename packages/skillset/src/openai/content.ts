/** What a message, an item or a tool's output holds: a text, or parts of which some are texts. */
type Content = string | readonly object[] | null | undefined;

/** Everything in it that a model reads. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => ("text" in part ? String(part.text) : "")).join("\n");
}

/** The same with each text changed. */
export function mapContent(content: Content, change: (text: string) => string): Content {
  if (typeof content === "string") return change(content);
  return content?.map((part) => ("text" in part ? { ...part, text: change(String(part.text)) } : part));
}

/** The same in other words; pictures and files stay. `type` is what the API calls a part that is a text. */
export function replaceContent(content: Content, texts: readonly string[], type: string): Content {
  const others = typeof content === "string" ? [] : (content ?? []).filter((part) => !("text" in part));
  return [...texts.map((text) => ({ type, text })), ...others];
}

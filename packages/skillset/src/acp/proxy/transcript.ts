/** What the agent is told about skills is in this element, so that it can be removed when the agent replays a prompt. */
const TAG = "skillset_context";

/** Wraps a text for the agent. `command` is what the person typed in its place, such as `/charts `. */
export function wrapContext(text: string, command: string): string {
  const attribute = command === "" ? "" : ` command="${encodeURIComponent(command)}"`;
  return `<${TAG}${attribute}>\n${text.replace(TAGS, "&lt;$1")}\n</${TAG}>`;
}

/** Returns a replayed prompt as the person typed it. */
export function unwrapContext(text: string): string {
  if (!text.includes(`<${TAG}`)) return text;
  return text.replace(WHOLE, (_element, command: string = "") => decoded(command));
}

/** An agent may write anything. */
function decoded(command: string): string {
  try {
    return decodeURIComponent(command);
  } catch {
    return "";
  }
}

/** Returns a title that an agent made from a prompt without our part, which may be cut. Undefined if nothing is left. */
export function unwrapTitle(title: string): string | undefined {
  if (!title.includes(`<${TAG}`)) return title;
  const rest = unwrapContext(title);
  return rest.slice(0, rest.search(CUT) === -1 ? undefined : rest.search(CUT)).trim() || undefined;
}

const TAGS = new RegExp(`<(/?${TAG})`, "gi");
const WHOLE = new RegExp(`<${TAG}(?: command="([\\w%.!~*'()-]*)")?>(?:(?!<${TAG})[\\s\\S])*?</${TAG}>\\s*`, "g");
const CUT = new RegExp(`<${TAG}`);

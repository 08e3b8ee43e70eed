import { type Event, getScalarValue, parseEvents, type YAMLException } from "js-yaml";
import { LIMITS } from "../base/limits.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

export class YamlError extends Error {
  override readonly name = "YamlError";
  readonly at: number;
  /** Undefined if only the parser's message is known. */
  readonly fix: string | undefined;

  constructor(message: string, at: number, fix?: string) {
    super(message);
    this.at = at;
    this.fix = fix;
  }
}

/** The fix for the most common mistake, if no better one is known. */
export const QUOTE_TEXTS = "Quote strings that contain ': ' or start with a special character.";

/** Parses one YAML document without anchors, aliases or tags, and with limited depth. Keeps duplicate keys. */
export function parseYaml(source: string): YamlNode {
  const events = readEvents(source);
  const reader = { source, events, position: 0 };
  if (events.length === 0) return emptyScalar(0);
  reader.position = 1;
  const root = events[1]?.type === EVENT_ID.POP ? emptyScalar(0) : readNode(reader);
  const rest = events[reader.position + (events[1]?.type === EVENT_ID.POP ? 0 : 1)];
  if (rest?.type === EVENT_ID.DOCUMENT)
    throw new YamlError(
      "a second document starts here",
      Math.max(source.search(/^(?:\.\.\.|---)/m), 0),
      "Remove the line with '...' or '---'.",
    );
  return root;
}

/** js-yaml's `EVENT_ID` and `SCALAR_STYLE.PLAIN`, copied so that js-yaml is loaded only when needed. */
const EVENT_ID = { DOCUMENT: 1, SEQUENCE: 2, MAPPING: 3, SCALAR: 4, ALIAS: 5, POP: 6 } as const;
const PLAIN = 1;

interface Reader {
  readonly source: string;
  readonly events: readonly Event[];
  position: number;
}

function readEvents(source: string): readonly Event[] {
  try {
    return parseEvents(source, { maxDepth: LIMITS.hard.yamlDepth });
  } catch (error) {
    const { name, reason, mark } = error as YAMLException;
    if (name === "YAMLException") throw new YamlError(reason, mark?.position ?? 0);
    throw error;
  }
}

function readNode(reader: Reader): YamlNode {
  const event = reader.events[reader.position++];
  if (event === undefined) return emptyScalar(reader.source.length);
  switch (event.type) {
    case EVENT_ID.SCALAR: {
      refuseProperties(event);
      const text = getScalarValue(reader.source, event);
      return { kind: "scalar", at: Math.max(event.valueStart, 0), text, plain: event.style === PLAIN };
    }
    case EVENT_ID.SEQUENCE: {
      refuseProperties(event);
      const items: YamlNode[] = [];
      while (!atEnd(reader)) items.push(readNode(reader));
      return { kind: "sequence", at: Math.max(event.start, 0), items };
    }
    case EVENT_ID.MAPPING: {
      refuseProperties(event);
      const entries: YamlEntry[] = [];
      while (!atEnd(reader)) {
        const key = readNode(reader);
        if (key.kind !== "scalar")
          throw new YamlError("a key must be one word or one quoted string", key.at, "Write 'key: value'.");
        entries.push({ key: key.text, at: key.at, value: readNode(reader) });
      }
      return { kind: "mapping", at: Math.max(event.start, 0), entries };
    }
    case EVENT_ID.ALIAS:
      throw new YamlError("aliases (*name) are not allowed", event.anchorStart);
    default:
      throw new YamlError("unexpected end of a value", reader.source.length);
  }
}

/** Consumes the event that closes a collection, if it is next. */
function atEnd(reader: Reader): boolean {
  const next = reader.events[reader.position];
  if (next !== undefined && next.type !== EVENT_ID.POP) return false;
  reader.position++;
  return true;
}

function refuseProperties(event: { anchorStart: number; tagStart: number }): void {
  if (event.anchorStart !== -1) throw new YamlError("anchors (&name) are not allowed", event.anchorStart);
  if (event.tagStart !== -1) throw new YamlError("tags (!name) are not allowed", event.tagStart);
}

function emptyScalar(at: number): YamlNode {
  return { kind: "scalar", at, text: "", plain: true };
}

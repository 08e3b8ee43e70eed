import type { Recording } from "./record.ts";

/** Longer parts are written once; later requests refer to the first. */
const LONG = 60;

/** Writes the requests as text, one section for each. A part that an earlier request has is a reference to it. */
export function writeRequests(recordings: readonly Recording[]): string {
  const known = new Map<string, string>();
  const lines: string[] = [];
  for (const { title, requests } of recordings) {
    let before: Readonly<Record<string, unknown>> = {};
    for (const [index, request] of requests.entries()) {
      const place = `${title}, request ${index + 1}`;
      lines.push(`# ${place}`);
      for (const [name, field] of Object.entries(request)) {
        const parts = partsOf(name, field);
        const same = sharedStart(parts, partsOf(name, before[name]));
        if (same > 0) lines.push(`  ${name}: as before${Array.isArray(field) ? `, ${same} parts` : ""}`);
        for (const [label, part] of parts.slice(same)) {
          const text = readable(part);
          const first = known.get(text);
          if (first === undefined && text.length > LONG) known.set(text, `${place}, ${label}`);
          lines.push(first === undefined ? `  ${label}: ${text}` : `  ${label} = ${first}`);
        }
      }
      lines.push("");
      before = request;
    }
  }
  return lines.join("\n");
}

type Part = readonly [label: string, value: unknown];

/** Returns each element of a list, or else the field itself. */
function partsOf(name: string, field: unknown): readonly Part[] {
  if (!Array.isArray(field) || field.length === 0) return [[name, field]];
  return field.map((part, index) => [`${name}[${index}]`, part]);
}

function sharedStart(parts: readonly Part[], before: readonly Part[]): number {
  const first = parts.findIndex((part, index) => JSON.stringify(part) !== JSON.stringify(before[index]));
  return first === -1 ? parts.length : first;
}

/** Writes the stored states. Adapters with the same state share a section. */
export function writeStates(adapters: ReadonlyMap<string, readonly Recording[]>): string {
  const sections = new Map<string, string[]>();
  for (const [adapter, recordings] of adapters) {
    for (const { title, state } of recordings) {
      if (state === undefined) continue;
      const text = Object.entries(state).flatMap(([name, field]) =>
        partsOf(name, field).map(([label, part]) => `  ${label}: ${readable(part)}`),
      );
      const key = [title, ...text].join("\n");
      sections.set(key, [...(sections.get(key) ?? []), adapter]);
    }
  }
  const written = [...sections].map(([key, names]) => {
    const [title, ...lines] = key.split("\n");
    return [`# ${title}`, `  adapters: ${names.join(" | ")}`, ...lines, ""].join("\n");
  });
  return written.sort().join("\n");
}

/** Returns the names of the sections that two texts do not share. */
export function changedSections(before: string, after: string): readonly string[] {
  const sections = (text: string) => new Set(text.split(/^# /m));
  const [old, current] = [sections(before), sections(after)];
  const changed = [...current, ...old].filter((section) => !(current.has(section) && old.has(section)));
  return [...new Set(changed.map((section) => section.split("\n", 1)[0] ?? ""))];
}

/** JSON with line breaks instead of `\n`, indented, so that no line of a text looks like a part or a section. */
function readable(value: unknown): string {
  return JSON.stringify(value).replace(/\\(.)/g, (written, sign: string) => (sign === "n" ? "\n    " : written));
}

import type { Skill } from "./skill.ts";

/** Returns a short text that changes when a skill is added, removed or moved, or its SKILL.md changes. Reads no files. */
export function fingerprint(skills: readonly Skill[]): string {
  const hash = new Hash();
  for (const skill of skills) {
    hash.add(skill.name);
    hash.add(skill.basePath ?? "");
    hash.add(skill.stamp ?? describe(skill));
  }
  return hash.toString();
}

/** Everything that can be compared of a skill without a stamp. */
function describe({ description, modelInvocable, userInvocable, tools }: Skill): string {
  return [description, modelInvocable, userInvocable, ...tools.map(({ name }) => name)].join("\0");
}

/** Returns a short text that changes when any of the parts changes. */
export function changeMark(parts: Iterable<string | Uint8Array>): string {
  const hash = new Hash();
  for (const part of parts) {
    if (typeof part === "string") hash.add(part);
    else hash.addBytes(part);
  }
  return hash.toString();
}

/** Returns a short text that changes when the given text changes. */
export function textMark(text: string): string {
  return changeMark([text]);
}

/** FNV-1a in two lanes: fast, and good enough to detect changes. Does not protect against forgery. */
class Hash {
  private low = 0x811c9dc5;
  private high = 0xcbf29ce4;

  add(text: string): void {
    for (let index = 0; index < text.length; index++) this.mix(text.charCodeAt(index));
    this.mix(0x10000);
  }

  addBytes(bytes: Uint8Array): void {
    for (const byte of bytes) this.mix(byte);
    this.mix(0x10001);
  }

  private mix(value: number): void {
    this.low = Math.imul(this.low ^ value, 0x01000193);
    this.high = Math.imul(this.high ^ (value + 0x9e37), 0x01000193) ^ (this.low >>> 15);
  }

  toString(): string {
    return [this.high, this.low].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

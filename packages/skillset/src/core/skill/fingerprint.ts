import type { Skill } from "./skill.ts";

/** A short text that changes when a skill is added, removed, moved or its SKILL.md written. Reads no file. */
export function fingerprint(skills: readonly Skill[]): string {
  const hash = new Hash();
  for (const skill of skills) {
    hash.add(skill.name);
    hash.add(skill.basePath ?? "");
    hash.add(skill.stamp ?? describe(skill));
  }
  return hash.toString();
}

/** All that can be compared of a skill that has no stamp. */
function describe({ description, modelInvocable, userInvocable, tools }: Skill): string {
  return [description, modelInvocable, userInvocable, ...tools.map(({ name }) => name)].join("\0");
}

/** A short text that changes when any of the texts and bytes does. */
export function changeMark(parts: Iterable<string | Uint8Array>): string {
  const hash = new Hash();
  for (const part of parts) {
    if (typeof part === "string") hash.add(part);
    else hash.addBytes(part);
  }
  return hash.toString();
}

/** A short text that changes when the given one does. */
export function textMark(text: string): string {
  return changeMark([text]);
}

/** FNV-1a in two lanes: quick and good enough to notice change; not meant against forgery. */
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

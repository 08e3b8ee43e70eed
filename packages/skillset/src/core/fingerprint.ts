import { isStored, type Skill, type VirtualSkill } from "./skill.ts";

/** A short text that changes when a skill is added, removed, moved or its SKILL.md written. Reads no file. */
export function fingerprint(skills: readonly Skill[]): string {
  const hash = new Hash();
  for (const skill of skills) {
    hash.add(skill.name);
    if (isStored(skill)) {
      hash.add(skill.origin.folder);
      const { ino, size, mtimeMs, ctimeMs } = skill.origin.stamp;
      hash.add(`${ino}:${size}:${mtimeMs}:${ctimeMs}`);
    } else {
      if (skill.origin.kind === "mcp") hash.add(skill.origin.digest);
      hash.add(skill.description);
      hash.add((skill as Partial<VirtualSkill>).body ?? "");
      hash.add(`${skill.modelInvocable} ${skill.userInvocable} ${skill.tools.map(({ name }) => name).join(" ")}`);
    }
  }
  return hash.toString();
}

/** A short text that changes when the given one does. */
export function textMark(text: string): string {
  const hash = new Hash();
  hash.add(text);
  return hash.toString();
}

/** FNV-1a in two lanes: quick and good enough to notice change; not meant against forgery. */
class Hash {
  private low = 0x811c9dc5;
  private high = 0xcbf29ce4;

  add(text: string): void {
    for (let index = 0; index < text.length; index++) this.mix(text.charCodeAt(index));
    this.mix(0x10000);
  }

  private mix(value: number): void {
    this.low = Math.imul(this.low ^ value, 0x01000193);
    this.high = Math.imul(this.high ^ (value + 0x9e37), 0x01000193) ^ (this.low >>> 15);
  }

  toString(): string {
    return [this.high, this.low].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Creates skills of typical size: about 6 KB of SKILL.md, and three references of 2 KB. */
export function writeSkills(folder: string, count: number): string {
  const lines = (bytes: number): string => "Fill in the form, and look at it again.\n".repeat(bytes / 40);
  for (let index = 0; index < count; index++) {
    const name = skillName(index);
    const references = join(folder, name, "references");
    mkdirSync(references, { recursive: true });
    const head = `---\nname: ${name}\ndescription: Fills forms of kind ${index}. Use it for those forms.\n---\n\n`;
    writeFileSync(join(folder, name, "SKILL.md"), `${head}${lines(6_000)}${lastLine(name)}\n`);
    for (const reference of ["fields", "rules", "samples"])
      writeFileSync(join(references, `${reference}.md`), `# ${name}\n${lines(2_000)}`);
  }
  return folder;
}

export function skillName(index: number): string {
  return `form-${String(index).padStart(5, "0")}`;
}

/** Occurs only in this skill's instructions, so that a reply to another client's call is noticed. */
export function lastLine(name: string): string {
  return `The end of ${name}.`;
}

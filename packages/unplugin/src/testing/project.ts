import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Skill } from "skillset";
import { onTestFinished } from "vitest";

/** A temporary project in which `skillset` is installed. */
export interface Project {
  readonly root: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  remove(path: string): void;
  /** Imports a built module, even if it was imported before. */
  import(path: string): Promise<BuiltProgram>;
}

/** What the entry of `ENTRY` exports. */
export interface BuiltProgram {
  readonly skills: readonly Skill[];
  readonly names: readonly string[];
  readonly pdf: Skill;
}

const ENTRY = `import pdf from "./skills/pdf/SKILL.md";
import skills, { names } from "./skills?skillset";
export { pdf, skills, names };
`;

export const BYTES = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);

/** Text that bundlers like to replace, and characters that scripts must not contain as they are. */
export const TRICKY = [
  'import.meta.env.MODE process.env.NODE_ENV import("./x") </script> `\x24{a}` \\u0041 __dirname',
  'new URL("./a.png", import.meta.url) import.meta.glob("./*.ts") require("fs") typeof window',
  "\u2028\u2029\ufeff\0\r\n\ud83d\ude00 語",
].join("\n");

const SKILLS = {
  "skills/pdf/SKILL.md":
    "---\nname: pdf\ndescription: Fills in PDF forms.\nmetadata: { version: '1.2.0' }\n---\n\nRead references/forms.md.\n",
  "skills/pdf/references/forms.md": "Forms.\n",
  "skills/pdf/assets/style.css": "body { color: red }",
  "skills/pdf/assets/data.json": "{ not: json",
  "skills/pdf/scripts/fill.ts": "const a: number = 'text';",
  "skills/pdf/scripts/fill.py": "print('filled')\n",
  "skills/pdf/assets/logo.png": BYTES,
  "skills/pdf/assets/tricky.txt": TRICKY,
  "skills/pdf/assets/what? #1 [x] 50%.md": "Odd name.",
  "skills/tea/SKILL.md": "---\nname: tea\ndescription: 'Makes <tea> & more.'\n---\nBoil water.\n",
  "skills/notes.md": "Not a skill.",
};

/** Creates a project with two skills and an entry, and removes it after the test. */
export function createProject(files: Readonly<Record<string, string | Uint8Array>> = {}): Project {
  const root = mkdtempSync(join(tmpdir(), "skillset-unplugin-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  let imports = 0;
  const project: Project = {
    root,
    write: (given) => {
      for (const [path, content] of Object.entries(given)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    import: (path) => import(`${pathToFileURL(join(root, path)).href}?${imports++}`),
  };
  project.write({ "package.json": '{ "type": "module" }', "main.js": ENTRY, ...SKILLS, ...files });
  return project;
}

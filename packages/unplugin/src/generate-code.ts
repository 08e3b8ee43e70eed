import type { CompiledSkill } from "./compile-skills.ts";

/** Returns the import path of a file, by its absolute path. */
type ImportPath = (file: string) => string;

/** The module of one SKILL.md: its default export is the skill. */
export function skillModule(skill: CompiledSkill, importPath: ImportPath): string {
  return `${IMPORT}export default ${restore(skill, importPath)};\n`;
}

/** The module of a folder: its default export is an array of skills, and `names` has their names. */
export function folderModule(skills: readonly CompiledSkill[], importPath: ImportPath): string {
  const names = JSON.stringify(skills.map(({ snapshot }) => snapshot.name));
  const list = skills.map((skill) => `  ${restore(skill, importPath)},\n`).join("");
  return `${IMPORT}export const names = Object.freeze(${names});\nexport default Object.freeze([\n${list}]);\n`;
}

/** The module of one file. Text stays readable; other bytes are base64. */
export function fileModule(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text !== undefined) return `export default ${literal(text)};\n`;
  const encoded = Buffer.from(bytes).toString("base64");
  return `export default Uint8Array.from(atob("${encoded}"), (one) => one.charCodeAt(0));\n`;
}

const IMPORT = `import { restoreSkill } from "skillset";\n`;

/** Every file has its own `import()`, so that bundlers can put it in a chunk that is loaded when the file is read. */
function restore({ snapshot, folder }: CompiledSkill, importPath: ImportPath): string {
  const files = snapshot.files
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => `[${literal(path)}, () => import(${literal(importPath(`${folder}/${path}`))})]`);
  // JSON.parse keeps keys such as __proto__, and is faster than the same value as code.
  const json = literal(JSON.stringify(snapshot));
  return `/* @__PURE__ */ restoreSkill(JSON.parse(${json}), ((files) => async (path) => (await files.get(path)()).default)(new Map([${files.join(", ")}])))`;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Escapes what JSON keeps but a script must not contain: some line ends, and the end of a script in a page. */
function literal(text: string): string {
  return JSON.stringify(text)
    .replace(/[\u2028\u2029\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll("</", "<\\/");
}

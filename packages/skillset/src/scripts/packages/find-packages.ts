import { isScriptPath } from "../../core/script/is-script.ts";
import type { DeclaredPackages, RefusedPackage } from "../../core/script/packages.ts";
import type { SkillFile, SkillFiles } from "../../core/skill/skill.ts";
import { parseInlineMetadata } from "./parse-inline-metadata.ts";
import { parseNpmManifest } from "./parse-npm-manifest.ts";
import { MOST_PACKAGES, type ParsedPackages, parseRequirements } from "./parse-requirements.ts";

const LARGEST_FILE = 100_000;
const LARGEST_SCRIPT = 1_000_000;
const MOST_FILES = 200;

/**
 * Finds the packages that a skill declares: in `requirements.txt` and `package.json`, in the skill's folder and beside
 * its scripts, and in the blocks `# /// script` of its Python scripts.
 */
export async function findPackages(files: SkillFiles, signal?: AbortSignal): Promise<DeclaredPackages> {
  const listed = (await files.list(undefined, signal && { signal })).filter(({ kind }) => kind === "file");
  const scripts = listed.filter(({ path }) => isScriptPath(path));
  const folders = new Set(["", ...scripts.map(({ path }) => folderOf(path))]);
  const declaring = listed.filter(
    ({ path }) => folders.has(folderOf(path)) && /(?:^|\/)(?:requirements\.txt|package\.json)$/.test(path),
  );
  const found = { python: new Set<string>(), npm: new Map<string, string>(), files: [] as string[] };
  const refused: RefusedPackage[] = [];
  const inline = scripts.filter(({ path }) => path.endsWith(".py"));
  const all = [...declaring, ...inline];
  const unread = all
    .filter(({ path, size }, index) => index >= MOST_FILES || (path.endsWith(".py") && size > LARGEST_SCRIPT))
    .map(({ path }) => path);
  for (const file of all.filter(({ path }) => !unread.includes(path))) {
    const parsed = await parse(files, file, signal);
    if (parsed === undefined || parsed.packages.length + parsed.refused.length === 0) continue;
    found.files.push(file.path);
    refused.push(...parsed.refused);
    for (const one of parsed.packages) {
      if (!file.path.endsWith("package.json")) found.python.add(one);
      else refused.push(...addToNpm(found.npm, one, file.path));
    }
  }
  const [python, npm] = [[...found.python], [...found.npm].map(([name, range]) => `${name}@${range}`)];
  if (python.length + npm.length > MOST_PACKAGES)
    refused.push({
      file: found.files[0] ?? "",
      line: 1,
      message: `the skill declares more than ${MOST_PACKAGES} packages`,
    });
  return { python, npm, files: found.files, refused, unread };
}

async function parse(
  files: SkillFiles,
  { path, size }: SkillFile,
  signal: AbortSignal | undefined,
): Promise<ParsedPackages | undefined> {
  const isScript = path.endsWith(".py");
  const refuse = (message: string): ParsedPackages => ({ packages: [], refused: [{ file: path, line: 1, message }] });
  if (!isScript && size > LARGEST_FILE) return refuse(`the file is larger than ${LARGEST_FILE} bytes`);
  try {
    const bytes = await files.read(path, signal && { signal });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (isScript) return parseInlineMetadata(text, path);
    return path.endsWith(".json") ? parseNpmManifest(text, path) : parseRequirements(text, path);
  } catch {
    return isScript ? undefined : refuse("the file cannot be read as UTF-8");
  }
}

function addToNpm(npm: Map<string, string>, spec: string, file: string): readonly RefusedPackage[] {
  const at = spec.lastIndexOf("@");
  const [name, range] = [spec.slice(0, at), spec.slice(at + 1)];
  const known = npm.get(name) ?? range;
  npm.set(name, known);
  if (known === range) return [];
  return [{ file, line: 1, message: `'${name}' is declared twice, as '${known}' and as '${range}'. Keep one` }];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

// Draws which folders import from which, and fails if folders import from each other.
// `npm run graph` writes the picture for docs/architecture.md; with `--check` it must be up to date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { drawFolders, type Section } from "./draw-folders.ts";
import { findCycles, readImports } from "./folder-imports.ts";
import { entryPoints, listPackages } from "./packages.ts";

const PICTURE = "docs/folder-graph.svg";
const CHAT = ["apps/chat/web/src", "apps/chat/server", "apps/chat/shared"];

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const packages = listPackages().toReversed();
const sections: Section[] = [
  ...CHAT.map((folder) => ({ folder, title: folder })),
  ...packages.map(({ folder, manifest }) => ({ folder: `${folder}/src`, title: manifest.name })),
].filter(({ folder }) => existsSync(folder));
const entries = new Map(
  packages.flatMap(({ folder, manifest }) =>
    entryPoints(manifest).map(({ specifier, source }) => [specifier, `${folder}/${source}`] as const),
  ),
);
const imports = readImports(
  sections.map(({ folder }) => folder),
  { entries },
);
const cycles = findCycles(imports);
for (const cycle of cycles) {
  console.error(`These folders import from each other: ${cycle.folders.join(", ")}`);
  for (const { file, target } of cycle.imports) console.error(`  ${file} imports ${target}`);
}
const picture = drawFolders(sections, imports);
const isStale = !existsSync(PICTURE) || readFileSync(PICTURE, "utf8") !== picture;
if (values.check && isStale) console.error(`${PICTURE} is out of date. Run npm run graph.`);
if (!values.check && isStale) writeFileSync(PICTURE, picture);
process.exitCode = cycles.length > 0 || (values.check && isStale) ? 1 : 0;

import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { withoutDocComments } from "../../scripts/folder-imports.ts";
import { entryPoints, listPackages, type Package } from "../../scripts/packages.ts";
import { sources } from "../conformance/adapters/sources.ts";
import { MODEL_SDKS } from "./sdks.ts";

/** One entry point of one of our packages. */
export interface OurEntryPoint {
  readonly owner: Package;
  readonly specifier: string;
  /** The module, relative to the repository. */
  readonly module: string;
  /** Whether it works without Node. */
  readonly isWeb: boolean;
}

export const OUR_ENTRY_POINTS: readonly OurEntryPoint[] = listPackages().flatMap(entryPointsOf);

export function entryPointsOf(owner: Package): OurEntryPoint[] {
  return entryPoints(owner.manifest).map(({ specifier, source, isWeb }) => ({
    owner,
    specifier,
    module: join(owner.folder, source),
    isWeb,
  }));
}

/** Returns the packages that the modules in an entry point's folder import, as values or as types. */
function importedPackages({ module, specifier, owner }: OurEntryPoint): readonly string[] {
  // The main entry point has no separate folder: its modules are in the folders of the others.
  if (specifier === owner.manifest.name) return [];
  const files = globSync(`${dirname(module)}/**/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  const names = files.flatMap((file) =>
    [
      ...withoutDocComments(readFileSync(file, "utf8")).matchAll(
        /(?:^import|\bfrom|\bimport\()\s*"((?:@[^/"]+\/)?[^./@"][^/"]*)/gm,
      ),
    ].map(([, name]) => name as string),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("node:")).sort();
}

export function importedPeers(entry: OurEntryPoint): readonly string[] {
  return importedPackages(entry).filter((name) => name in (entry.owner.manifest.peerDependencies ?? {}));
}

/** SDK entry points to which the contract does not apply, with the reason. */
const WITHOUT_CONTRACT: Readonly<Record<string, string>> = {
  "skillset/claude": "evaluates prompts of sections",
  "skillset/mcp": "has no model; the peer verifies tokens",
  "skillset/opentelemetry": "observes sessions",
  "skillset/scripts": "has no model; the peer is a sandbox",
};

/** Returns the module that runs the adapter contract against an entry point. */
const driverOf = (entry: OurEntryPoint): string => `test/conformance/adapters/${folderOf(entry)}.ts`;

function folderOf({ module }: OurEntryPoint): string {
  return basename(dirname(module));
}

const needsContract = (entry: OurEntryPoint): boolean =>
  importedPeers(entry).length > 0 && WITHOUT_CONTRACT[entry.specifier] === undefined;

/** Folders of the adapters that connect a session to an SDK's model. */
export const MODEL_ADAPTERS: readonly string[] = OUR_ENTRY_POINTS.filter(needsContract).map(folderOf);

/** Returns the missing parts of an entry point in package.json. */
export function missingParts(entry: OurEntryPoint): string[] {
  const { owner, specifier, module } = entry;
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = owner.manifest;
  if (!existsSync(module)) return [`write ${module}`];
  const row = readFileSync("README.md", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| \`${specifier}\``));
  const docs = globSync("docs/*.md").some((page) => readFileSync(page, "utf8").includes(specifier));
  const driver = driverOf(entry);
  const runsContract =
    existsSync(driver) &&
    readFileSync(join(dirname(driver), "all.ts"), "utf8").includes(`"./${driver.split("/").at(-1)}"`);
  return [
    ...importedPackages(entry)
      .filter((name) => !(name in dependencies || name in peerDependencies || name in devDependencies))
      .map((name) => `add '${name}' to the peerDependencies of ${owner.folder}/package.json`),
    ...(row === undefined ? [`add \`${specifier}\` to the table in README.md`] : []),
    ...importedPeers(entry)
      .filter((name) => row !== undefined && !row.includes(`\`${name}\``))
      .map((name) => `name the peer '${name}' in the row of \`${specifier}\` in README.md`),
    ...(docs ? [] : [`describe ${specifier} in a page of docs/`]),
    ...(needsContract(entry) && !runsContract ? [`run the contract: write ${driver} and add it to all.ts`] : []),
    ...missingRows(entry),
  ];
}

/** Returns the tables of other tests in which an adapter to a model's SDK has no row. */
function missingRows(entry: OurEntryPoint): string[] {
  if (!needsContract(entry)) return [];
  const { specifier, isWeb } = entry;
  const isTested = (peer: string) =>
    MODEL_SDKS.some(({ entry: tested, name }) => tested === specifier && name === peer);
  const isListed = Object.values(sources).some((files) => files.some((file) => file.startsWith(`${folderOf(entry)}/`)));
  const lacks = (file: string) => !readFileSync(file, "utf8").includes(`"${specifier}"`);
  return [
    ...importedPeers(entry)
      .filter((peer) => !isTested(peer))
      .map((peer) => `add the versions of '${peer}' for ${specifier} to test/package/sdks.ts`),
    ...(isListed ? [] : [`list the files of ${specifier} in test/conformance/adapters/sources.ts`]),
    ...["test/package/web.test.ts", "test/runtimes/adapters.ts"]
      .filter((file) => isWeb && lacks(file))
      .map((file) => `add ${specifier}, which works without Node, to ${file}`),
  ];
}

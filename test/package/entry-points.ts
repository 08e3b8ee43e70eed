import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutDocComments } from "../../scripts/folder-imports.ts";
import { entryPoints, listPackages, type Package } from "../../scripts/packages.ts";

/** One entry point of one of our packages. */
export interface OurEntryPoint {
  readonly owner: Package;
  readonly specifier: string;
  /** The module, relative to the repository. */
  readonly module: string;
}

export const OUR_ENTRY_POINTS: readonly OurEntryPoint[] = listPackages().flatMap(entryPointsOf);

export function entryPointsOf(owner: Package): OurEntryPoint[] {
  return entryPoints(owner.manifest).map(({ specifier, source }) => ({
    owner,
    specifier,
    module: join(owner.folder, source),
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
const driverOf = ({ module }: OurEntryPoint): string =>
  `test/conformance/adapters/${dirname(module).split("/").at(-1)}.ts`;

const needsContract = (entry: OurEntryPoint): boolean =>
  importedPeers(entry).length > 0 && WITHOUT_CONTRACT[entry.specifier] === undefined;

/** Folders of the adapters that connect a session to an SDK's model. */
export const MODEL_ADAPTERS: readonly string[] = OUR_ENTRY_POINTS.filter(needsContract).map(
  ({ module }) => dirname(module).split("/").at(-1) as string,
);

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
  ];
}

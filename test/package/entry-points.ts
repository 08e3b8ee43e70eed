import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entryPoints, listPackages, type Package } from "../../scripts/packages.ts";

/** One entry point of a package of ours. */
export interface OurEntryPoint {
  readonly owner: Package;
  readonly specifier: string;
  /** Its module, relative to the repository. */
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

/** The packages that the modules in the folder of an entry point import, with values or with types alone. */
function importedPackages({ module, specifier, owner }: OurEntryPoint): readonly string[] {
  // The main entry point has no folder: what it imports is in the folders of the others.
  if (specifier === owner.manifest.name) return [];
  const files = globSync(`${dirname(module)}/**/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  const names = files.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /(?:^import|(?<!^[ \t]*\*.*)\bfrom|\bimport\()\s*"((?:@[^/"]+\/)?[^./@"][^/"]*)/gm,
      ),
    ].map(([, name]) => name as string),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("node:")).sort();
}

export function importedPeers(entry: OurEntryPoint): readonly string[] {
  return importedPackages(entry).filter((name) => name in (entry.owner.manifest.peerDependencies ?? {}));
}

/** Entry points for an SDK that give no model a session, and why the contract does not fit them. */
const WITHOUT_CONTRACT: Readonly<Record<string, string>> = {
  "skillset/claude": "evaluates prompts of sections",
  "skillset/opentelemetry": "observes sessions",
};

/** The module that runs the contract of adapters against an entry point. */
const driverOf = ({ module }: OurEntryPoint): string =>
  `test/conformance/adapters/${dirname(module).split("/").at(-1)}.ts`;

const needsContract = (entry: OurEntryPoint): boolean =>
  importedPeers(entry).length > 0 && WITHOUT_CONTRACT[entry.specifier] === undefined;

/** The folders of the adapters that give a session to the model of an SDK. */
export const MODEL_ADAPTERS: readonly string[] = OUR_ENTRY_POINTS.filter(needsContract).map(
  ({ module }) => dirname(module).split("/").at(-1) as string,
);

/** What an entry point of package.json still needs. */
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

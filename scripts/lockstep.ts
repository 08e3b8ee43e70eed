import { dependenciesOf, type Package } from "./packages.ts";

/** Checks that our packages have one version, and depend on exactly that version of each other. */
export function checkLockstep(packages: readonly Package[]): string[] {
  const version = packages.find(({ folder }) => folder === ".")?.manifest.version;
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  return packages.flatMap(({ folder, manifest }) => [
    ...(manifest.version === version
      ? []
      : [`${folder}/package.json has version ${manifest.version}, the workspace has ${version}.`]),
    ...Object.entries(dependenciesOf(manifest))
      .filter(([name, range]) => names.has(name) && range !== version)
      .map(([name, range]) => `${folder}/package.json needs ${name} ${range}; write exactly "${version}".`),
  ]);
}

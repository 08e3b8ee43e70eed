import { resolve } from "node:path";
import { entryPoints, listPackages } from "../scripts/packages.ts";

const REPOSITORY = resolve(import.meta.dirname, "..");

/** Tests use the sources, not the last build, also where a package imports another by its name. */
export const sources = {
  alias: listPackages(REPOSITORY)
    .filter(({ manifest }) => ["skillset", "@skillset/testing"].includes(manifest.name))
    .flatMap(({ folder, manifest }) =>
      entryPoints(manifest).map(({ specifier, source }) => ({
        find: new RegExp(`^${specifier}$`),
        replacement: resolve(REPOSITORY, folder, source),
      })),
    ),
};

import type { OnLoadResult, PluginBuild } from "esbuild";
import type { Compilation } from "./compile-skills.ts";
import { isFromOurs, LIBRARY } from "./module-ids.ts";

/**
 * Adds what unplugin cannot pass to esbuild: the watched folders, the watched files of a build that fails, and the
 * folder from which `skillset` is found.
 */
export function esbuildSetup(
  build: PluginBuild,
  watched: ReadonlyMap<string, Compilation["watched"]>,
  root: string,
): void {
  build.onResolve({ filter: LIBRARY }, async ({ path, importer, kind }) => {
    if (!isFromOurs(importer)) return undefined;
    const { errors, ...resolved } = await build.resolve(path, { resolveDir: root, kind });
    return errors.length === 0 ? resolved : undefined;
  });
  const { onLoad } = build;
  build.onLoad = (options, load) => {
    onLoad.call(build, options, async (args) => {
      const result = await Promise.resolve(load(args)).catch(toErrors);
      const { files, folders } = watched.get(args.path) ?? { files: [], folders: [] };
      if (!result) return result;
      return { ...result, watchFiles: [...(result.watchFiles ?? []), ...files], watchDirs: [...folders] };
    });
  };
}

function toErrors(
  error: Error & { readonly loc?: { readonly file: string; line: number; column: number } },
): OnLoadResult {
  return { errors: [{ text: error.message, location: error.loc ?? null }] };
}

import type { UnpluginBuildContext } from "unplugin";
import type { ViteDevServer } from "vite";
import type { Compilation } from "./compile-skills.ts";

/** Watches the files of a compilation, and its folders for new files where the bundler can. */
export function watchFiles(
  context: UnpluginBuildContext,
  { files, folders }: Compilation["watched"],
  server: ViteDevServer | undefined,
): void {
  if (server !== undefined) {
    // Vite treats a file that a module adds as an import, and folders cannot be imported.
    server.watcher.add([...folders]);
    return;
  }
  for (const file of files) context.addWatchFile(file);
  const native = context.getNativeBuildContext?.();
  if (native?.framework === "webpack" || native?.framework === "rspack") {
    for (const folder of folders) native.loaderContext?.addContextDependency(folder);
  } else if (native === undefined) {
    for (const folder of folders) context.addWatchFile(folder);
  }
}

import { createUnplugin, type UnpluginFactory, type UnpluginInstance } from "unplugin";
import type { ViteDevServer } from "vite";
import { compileModule } from "./compile-module.ts";
import type { Compilation } from "./compile-skills.ts";
import { Declarations } from "./declarations.ts";
import { esbuildSetup } from "./esbuild-setup.ts";
import { findOwner, type OwnedFile } from "./find-owner.ts";
import { fileModule } from "./generate-code.ts";
import {
  contentOf,
  fileId,
  isFromOurs,
  isOurs,
  LIBRARY,
  LOADED,
  RESOLVED,
  resolveSkills,
  toSlashes,
} from "./module-ids.ts";
import { checkOptions, type SkillsetPluginOptions } from "./options.ts";
import { resolveLibrary, resolveWithBundler } from "./resolve-with-bundler.ts";
import { watchFiles } from "./watch-files.ts";

/** One plugin: what it has loaded, and on which folders that depends. */
const factory: UnpluginFactory<SkillsetPluginOptions | undefined, false> = (given, meta) => {
  const options = checkOptions(given);
  const files = new Map<string, OwnedFile>();
  /** The modules with skills that other modules import. */
  const imported = new Set<string>();
  /** What each module with skills depends on. */
  const watchedBy = new Map<string, Compilation["watched"]>();
  let root = process.cwd();
  let server: ViteDevServer | undefined;
  let declarations: Declarations | undefined;
  if (meta.framework === "webpack") root = meta.webpack.compiler.context;

  return {
    name: "skillset",
    enforce: "pre",
    resolveId: {
      filter: { id: RESOLVED },
      async handler(id, importer, { scan }: ResolveOptions) {
        // These two have nothing like `skipSelf`. What they pass without an importer is what `resolveWithBundler` asks for.
        if (!importer && (meta.framework === "esbuild" || meta.framework === "webpack")) return undefined;
        if (LIBRARY.test(id)) return isFromOurs(importer) ? resolveLibrary(this, id, root) : undefined;
        // Vite's search for packages does not call `load`, so it would not find our modules. They import only `skillset`.
        if (scan) return { id, external: true };
        // In a development server, an address may be relative to the project.
        if (isOurs(id)) return files.has(root + id) || imported.has(root + id) ? root + id : id;
        const resolved = resolveSkills(id, importer, root) ?? (await resolveWithBundler(this, id, importer));
        // For an address that a browser asks for, Vite's server passes this importer.
        const isRequest = importer === undefined || toSlashes(importer) === `${root}/index.html`;
        if (resolved !== undefined && !isRequest) imported.add(resolved);
        return resolved;
      },
    },
    load: {
      filter: { id: LOADED },
      async handler(id) {
        const { kind, path } = contentOf(id);
        // A browser may ask Vite's server for any address, so it gets only what modules import.
        const isServed = meta.framework === "vite";
        if (isServed && kind === "skills" && !imported.has(id)) return null;
        if (kind === "file") {
          const file = files.get(fileId(path)) ?? (isServed ? undefined : await findOwner(path));
          if (file === undefined) throw new Error(`'${path}' is not a file of a skill that is compiled in.`);
          watchFiles(this, { files: [path], folders: [] }, server);
          return fileModule(await file.skill.files.read(file.path));
        }
        declarations ??= new Declarations(root, options.types);
        const { code, skills } = await compileModule(path, {
          root,
          options,
          declarations,
          importPath: fileId,
          warn: (message) => this.warn(message),
          watch: (watched) => {
            watchFiles(this, watched, server);
            watchedBy.set(toSlashes(id), watched);
          },
        });
        for (const { skill, folder, snapshot } of skills) {
          for (const file of snapshot.files)
            if (file.kind === "file") files.set(fileId(`${folder}/${file.path}`), { skill, path: file.path });
        }
        return code;
      },
    },
    esbuild: {
      loader: "js",
      onLoadFilter: LOADED,
      onResolveFilter: RESOLVED,
      config: ({ absWorkingDir = root }) => {
        root = absWorkingDir;
      },
      setup: (build) => esbuildSetup(build, watchedBy, root),
    },
    rolldown: {
      options: ({ cwd = root }) => {
        root = cwd;
      },
    },
    vite: {
      configResolved: (config) => {
        root = config.root;
      },
      configureServer: (started) => {
        server = started;
      },
      // New and removed skills, and files outside the modules that Vite knows.
      hotUpdate({ file, modules }) {
        const { moduleGraph } = this.environment;
        const own = moduleGraph.getModuleById(fileId(file));
        const affected = [...watchedBy].filter(([, { folders }]) =>
          folders.some((one) => file.startsWith(`${toSlashes(one)}/`)),
        );
        const found = [own, ...affected.map(([id]) => moduleGraph.getModuleById(id))];
        return [...new Set([...modules, ...found.filter((one) => one !== undefined)])];
      },
    },
  };
};

interface ResolveOptions {
  readonly isEntry: boolean;
  /** Set by Vite's development server while it searches for packages. */
  readonly scan?: boolean;
}

/**
 * Compiles skills into a bundle. Has one function for each bundler: `vite`, `rollup`, `rolldown`, `esbuild`, `webpack`
 * and the others of unplugin.
 * @example
 * ```ts
 * import { skillset } from "@skillset/unplugin";
 *
 * // vite.config.ts
 * export default { plugins: [skillset.vite({ policy: "standard" })] };
 * ```
 */
export const skillset: UnpluginInstance<SkillsetPluginOptions | undefined, false> = createUnplugin(factory);

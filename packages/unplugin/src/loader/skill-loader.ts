import { dirname, relative } from "node:path";
import { compileModule } from "../compile-module.ts";
import { Declarations } from "../declarations.ts";
import { toSlashes } from "../module-ids.ts";
import { checkOptions, type SkillsetPluginOptions } from "../options.ts";
import { FILE_QUERY } from "../turbopack-rules.ts";

/** The part of a webpack loader's context that Turbopack has. */
export interface LoaderContext {
  readonly resourcePath: string;
  readonly rootContext: string;
  getOptions(): SkillsetPluginOptions;
  addDependency(file: string): void;
  addContextDependency(folder: string): void;
  emitWarning(warning: Error): void;
}

/**
 * The loader that `turbopackRules()` names: returns the module of a SKILL.md, or of the folder of another file.
 * @example
 * ```ts
 * import skillLoader from "@skillset/unplugin/loader";
 *
 * console.log(skillLoader.name);
 * ```
 */
export async function skillLoader(this: LoaderContext): Promise<string> {
  const options = checkOptions(this.getOptions());
  const { code } = await compileModule(toSlashes(this.resourcePath), {
    root: this.rootContext,
    options,
    declarations: new Declarations(this.rootContext, options.types),
    // Turbopack has no absolute paths.
    importPath: (file) => `./${toSlashes(relative(dirname(this.resourcePath), file))}${FILE_QUERY}`,
    warn: ({ message }) => this.emitWarning(new Error(message)),
    watch: ({ files, folders }) => {
      for (const file of files) this.addDependency(file);
      for (const folder of folders) this.addContextDependency(folder);
    },
  });
  return code;
}

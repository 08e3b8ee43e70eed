import type { UnpluginMessage } from "unplugin";
import { type Compilation, type CompiledSkill, compileSkills, watchedOf } from "./compile-skills.ts";
import type { Declarations } from "./declarations.ts";
import { folderModule, skillModule } from "./generate-code.ts";
import { isSkillMd } from "./module-ids.ts";
import type { CheckedOptions } from "./options.ts";
import { reportProblems } from "./report-problems.ts";

/** What a bundler provides. */
export interface ModuleContext {
  /** The project's folder. */
  readonly root: string;
  readonly options: CheckedOptions;
  readonly declarations: Declarations;
  /** Returns the import path of a file, by its absolute path. */
  importPath(file: string): string;
  warn(message: UnpluginMessage): void;
  /** Called before and after skills are loaded, also for a build that fails, so that it runs again after a fix. */
  watch(watched: Compilation["watched"]): void;
}

/** Compiles the skills at a path into a module. Throws if one of their problems fails the build. */
export async function compileModule(
  path: string,
  { root, options, declarations, importPath, warn, watch }: ModuleContext,
): Promise<{ readonly code: string; readonly skills: readonly CompiledSkill[] }> {
  // A path that does not exist is an error until it does.
  watch(watchedOf(path));
  const { skills, problems, watched } = await compileSkills(path, options, root);
  watch(watched);
  reportProblems(problems, options, warn);
  const [first] = skills;
  const isSingle = isSkillMd(path);
  if (isSingle && first === undefined) throw new Error(`There is no valid skill in '${path}'.`);
  declarations.set(
    path,
    skills.map(({ snapshot }) => snapshot.name),
  );
  const code = isSingle && first !== undefined ? skillModule(first, importPath) : folderModule(skills, importPath);
  return { code, skills };
}

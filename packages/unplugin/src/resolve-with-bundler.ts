import { skillsId, toSlashes, withoutQuerySuffix } from "./module-ids.ts";

/** Asks the bundler for imports that are not paths, such as those of packages. Returns undefined where it cannot. */
export async function resolveWithBundler(
  context: object,
  specifier: string,
  importer: string | undefined,
): Promise<string | undefined> {
  const { resolve } = context as RollupContext;
  if (resolve === undefined) return undefined;
  const resolved = await resolve.call(context, withoutQuerySuffix(specifier), importer, { skipSelf: true });
  if (resolved === null || resolved.external) return undefined;
  return skillsId(toSlashes(resolved.id));
}

/**
 * Finds `skillset` from the project, because skills may be outside the folders where it is installed. Returns undefined
 * where the bundler cannot: it then searches from the folder of the skills.
 */
export async function resolveLibrary(context: object, specifier: string, root: string): Promise<Resolved | undefined> {
  const { resolve } = context as RollupContext;
  return (await resolve?.call(context, specifier, `${toSlashes(root)}/package.json`, { skipSelf: true })) ?? undefined;
}

interface Resolved {
  readonly id: string;
  readonly external: boolean;
}

/** What Rollup, Rolldown and Vite add to the context of unplugin. */
interface RollupContext {
  readonly resolve?: (
    specifier: string,
    importer: string | undefined,
    options: { readonly skipSelf: boolean },
  ) => Promise<Resolved | null>;
}

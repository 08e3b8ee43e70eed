import { statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import type { PluginBuild } from "esbuild";
import { hasQuery, skillsId, toSlashes, withoutQuerySuffix } from "./module-ids.ts";

/**
 * Asks the bundler for imports that are not paths, such as aliases and those of packages. Returns undefined for what the
 * bundler keeps as an import, and for a SKILL.md that it cannot find. Throws for other skills that it cannot find.
 */
export async function resolveWithBundler(
  context: object,
  specifier: string,
  importer: string | undefined,
): Promise<string | undefined> {
  if (importer === undefined) return undefined;
  const wanted = withoutQuerySuffix(specifier);
  const resolved = await (resolverOf(context)?.(wanted, importer) ?? null);
  if (resolved?.external) return undefined;
  if (resolved !== null) return skillsId(toSlashes(folderOrFile(resolved.id, wanted)));
  if (!hasQuery(specifier)) return undefined;
  throw new Error(
    `The bundler cannot find '${wanted}'. If it is a folder, import a file in it ('${wanted}/README.md?skillset'), or use a relative path.`,
  );
}

/**
 * Finds `skillset` from the project, because skills may be outside the folders where it is installed. Returns undefined
 * where the bundler cannot: it then searches from the folder of the skills.
 */
export async function resolveLibrary(context: object, specifier: string, root: string): Promise<Resolved | undefined> {
  const { resolve } = context as BundlerContext;
  return (await resolve?.call(context, specifier, `${toSlashes(root)}/package.json`, { skipSelf: true })) ?? undefined;
}

interface Resolved {
  readonly id: string;
  readonly external: boolean;
}

type Resolve = (specifier: string, importer: string) => Promise<Resolved | null>;

function resolverOf(context: BundlerContext): Resolve | undefined {
  const { resolve } = context;
  if (resolve !== undefined) return (...args) => resolve.call(context, ...args, { skipSelf: true });
  const native = context.getNativeBuildContext?.();
  if (native?.framework === "esbuild") return askEsbuild(native.build);
  return native?.framework === "webpack" ? askWebpack(native.compiler) : undefined;
}

function askEsbuild(build: PluginBuild): Resolve {
  return async (specifier, importer) => {
    const { errors, path, external } = await build.resolve(specifier, {
      resolveDir: dirname(importer),
      kind: "import-statement",
    });
    return errors.length === 0 ? { id: path, external } : null;
  };
}

function askWebpack({ resolverFactory }: WebpackCompiler): Resolve {
  return async (specifier, importer) => {
    for (const type of ["context", "normal"]) {
      const resolver = resolverFactory.get(type, { dependencyType: "esm" });
      const found = await new Promise<string | false | undefined>((done) => {
        resolver.resolve({ issuer: "" }, dirname(importer), specifier, {}, (_error, path) => done(path));
      });
      if (typeof found === "string") return { id: found, external: false };
    }
    return null;
  };
}

/** Bundlers find `skills.ts` or `skills/index.ts` where `skills` is wanted. */
function folderOrFile(found: string, wanted: string): string {
  if (basename(found) === basename(wanted)) return found;
  const withoutExtension = found.slice(0, found.length - extname(found).length);
  return statSync(withoutExtension, { throwIfNoEntry: false })?.isDirectory() ? withoutExtension : found;
}

/** What bundlers add to the context of unplugin: a function in Rollup, Rolldown and Vite, an object in the others. */
interface BundlerContext {
  readonly resolve?: (
    specifier: string,
    importer: string | undefined,
    options: { readonly skipSelf: boolean },
  ) => Promise<Resolved | null>;
  readonly getNativeBuildContext?: () =>
    | { readonly framework: "esbuild"; readonly build: PluginBuild }
    | { readonly framework: "webpack"; readonly compiler: WebpackCompiler }
    | { readonly framework: "other" }
    | undefined;
}

/** The part of a compiler of webpack that is used here. */
interface WebpackCompiler {
  readonly resolverFactory: {
    get(
      type: string,
      options: { readonly dependencyType: string },
    ): {
      resolve(
        context: { readonly issuer: string },
        folder: string,
        request: string,
        resolveContext: object,
        callback: (error: Error | null, path?: string | false) => void,
      ): void;
    };
  };
}

import { readFileSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, type PluginContext, rolldown } from "rolldown";

/**
 * `import … from "node:fs"` makes Node touch every export of the module, which also loads its streams and promises: four
 * milliseconds for a program that only needs `readSync`. Importing the module object avoids that.
 */
export function builtinsWithoutFacade(): Plugin {
  return {
    name: "builtins-without-facade",
    resolveId: (id) => (id.startsWith("node:") ? { id: `\0${id}`, moduleSideEffects: false } : null),
    load(id) {
      if (!id.startsWith("\0node:")) return null;
      const builtin = createRequire(import.meta.url)(id.slice(1)) as object;
      const names = Object.entries(Object.getOwnPropertyDescriptors(builtin))
        .filter(([name, { get }]) => get === undefined && /^[A-Za-z_]\w*$/.test(name))
        .map(([name]) => name);
      const exports = names.map((name) => `export const ${name} = builtin.${name};`);
      return [
        `const builtin = /*#__PURE__*/ process.getBuiltinModule("${id.slice(1)}");`,
        ...exports,
        "export default builtin;",
      ].join("\n");
    },
  };
}

/** In programs without Node, `x.web.ts` replaces `x.ts`. */
export function webVariants(): Plugin {
  return {
    name: "web-variants",
    async resolveId(id, importer) {
      if (!id.endsWith(".ts") || importer === undefined) return null;
      return this.resolve(id.replace(/\.ts$/, ".web.ts"), importer, { skipSelf: true });
    },
  };
}

/** A module `*.build.ts` runs during the build; the package contains the values that it exports. */
export function evaluatedModules(): Plugin {
  return {
    name: "evaluated-modules",
    async load(id) {
      if (!id.endsWith(".build.ts")) return null;
      const values = Object.entries((await import(pathToFileURL(id).href)) as object);
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n");
    },
  };
}

/**
 * Bundles the development dependencies that the source imports. Each becomes a function that runs at its first call,
 * or a file that `import()` loads, because few programs need it: loading stays fast, and bundlers see no `require`.
 */
export function inlinedDependencies(folder: string, names: readonly string[]): Plugin {
  return {
    name: "inlined-dependencies",
    resolveId: {
      order: "pre",
      handler(id, importer) {
        if (importer === undefined || !names.includes(id)) return null;
        return `\0inlined:${id}:${importedNames(readFileSync(importer, "utf8"), id).join()}`;
      },
    },
    async load(id) {
      const [, name = "", functions = ""] = /^\0inlined:(.+):(.*)$/.exec(id) ?? [];
      if (name === "") return null;
      emitLicense(this, folder, name);
      // What is imported with `import()` becomes a file that is loaded when it is needed.
      if (functions === "") return bundlePackage(folder, `export * from "${name}";`, "esm");
      const code = await bundlePackage(folder, `export { ${functions} } from "${name}";`, "iife");
      return [
        "let loaded;",
        `const load = () => (loaded ??= (() => {${code} return inlined; })());`,
        ...functions.split(",").map((one) => `export const ${one} = (...given) => load().${one}(...given);`),
      ].join("\n");
    },
  };
}

function emitLicense(build: PluginContext, folder: string, name: string): void {
  const source = readFileSync(join(packageFolder(name, folder), "LICENSE"), "utf8");
  build.emitFile({ type: "asset", fileName: `licenses/${name}.txt`, source });
}

function packageFolder(name: string, from: string): string {
  const manifest = findPackageJSON(name, pathToFileURL(join(from, "package.json")));
  if (manifest === undefined) throw new Error(`'${name}' is not installed. Run npm install.`);
  return dirname(manifest);
}

/** Returns the values that a module imports by name from a package. */
function importedNames(source: string, name: string): string[] {
  const [, list = ""] = new RegExp(`import \\{([^}]*)\\} from "${name}"`).exec(source) ?? [];
  return list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "));
}

async function bundlePackage(folder: string, entry: string, format: "esm" | "iife"): Promise<string> {
  const bundle = await rolldown({
    input: "entry",
    platform: "node",
    treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
    plugins: [
      {
        name: "entry",
        resolveId: (_id, importer) => (importer === undefined ? join(folder, "entry.js") : null),
        load: (id) => (id.endsWith("entry.js") ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format, name: "inlined", minify: true });
  await bundle.close();
  return output[0].code;
}

// Builds the package. The modules of the library become a few files, because every file that a program imports costs
// it half a millisecond; `npm run bench` shows it. The types stay a file a module.
import { spawnSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const root = fileURLToPath(new URL("../packages/skillset/", import.meta.url));
// Built beside the last one and then put in its place: whatever runs from it meanwhile goes on.
const fresh = `${root}dist-${process.pid}`;

const bundle = await rolldown({
  input: {
    index: `${root}src/index.ts`,
    "node/index": `${root}src/node/index.ts`,
    "prompt/index": `${root}src/prompt/index.ts`,
    "mcp/index": `${root}src/mcp/index.ts`,
    "acp/index": `${root}src/acp/index.ts`,
    "claude/index": `${root}src/claude/index.ts`,
    "testing/index": `${root}src/testing/index.ts`,
    "ai-sdk/index": `${root}src/ai-sdk/index.ts`,
    "openai/index": `${root}src/openai/index.ts`,
    "openai-agents/index": `${root}src/openai-agents/index.ts`,
    "opentelemetry/index": `${root}src/opentelemetry/index.ts`,
    "adapter/index": `${root}src/adapter/index.ts`,
    "cli/main": `${root}src/cli/main.ts`,
  },
  external: (id) => /^(?!node:|js-yaml$)[a-z@]/.test(id),
  platform: "node",
  plugins: [builtinsWithoutFacade(), loadedWhenCalled("js-yaml", ["getScalarValue", "parseEvents"])],
  treeshake: { propertyReadSideEffects: false },
});
await bundle.write({
  dir: fresh,
  format: "esm",
  chunkFileNames: "chunks/[name].js",
  codeSplitting: {
    groups: [
      // But for what few programs need, and what is therefore loaded when they do.
      {
        name: "library",
        test: /src\/(?:package|core\/(?:base|text|manifest|skill|catalog|set)|core\/skillset\.ts|node\/(?:files|folder|trust|load))\b/,
      },
      {
        name: "commands",
        test: /src\/cli\/(?:command|terminal)\//,
      },
    ],
  },
});
await bundle.close();

/**
 * `import … from "node:fs"` makes Node touch every export of the module, which loads its streams and promises too:
 * four milliseconds for a program that only wants `readSync`. Asking for the module itself does not.
 */
function builtinsWithoutFacade(): Plugin {
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

/** Functions of a package that few programs reach: it is loaded at the first call of one of them. */
function loadedWhenCalled(name: string, functions: readonly string[]): Plugin {
  return {
    name: `${name}-when-called`,
    resolveId: { order: "pre", handler: (id) => (id === name ? `\0lazy:${name}` : null) },
    load: (id) =>
      id === `\0lazy:${name}`
        ? [
            "let loaded;",
            `const load = () => (loaded ??= process.getBuiltinModule("node:module").createRequire(import.meta.url)("${name}"));`,
            ...functions.map((one) => `export const ${one} = (...given) => load().${one}(...given);`),
          ].join("\n")
        : null,
  };
}

const { status } = spawnSync("tsc", ["-p", `${root}tsconfig.build.json`, "--outDir", fresh], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
rmSync(`${root}dist`, { recursive: true, force: true });
renameSync(fresh, `${root}dist`);
process.exitCode = status ?? 1;

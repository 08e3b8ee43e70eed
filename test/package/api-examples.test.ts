import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { OUR_ENTRY_POINTS } from "./entry-points.ts";

const DECLARATION = /^export (?:abstract |async )?(?:function|class|const) (\w+)/gm;

// Editors show the examples in doc comments, so every entry point has one, and all of them compile.
const entryPoints = OUR_ENTRY_POINTS.map(({ specifier, module }) => ({
  specifier,
  examples: exportedFrom(module).flatMap(({ name, file }) => examplesOf(name, file)),
}));

test("every entry point exports a name with an @example that imports from it", () => {
  const missing = entryPoints.filter(
    ({ specifier, examples }) => !examples.some(({ code }) => code.includes(`from "${specifier}"`)),
  );
  expect(missing.map(({ specifier }) => specifier)).toEqual([]);
});

test("all examples compile", () => {
  const folder = temporaryFolder({ "package.json": '{ "type": "module" }' });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const examples = new Map(entryPoints.flatMap((entry) => entry.examples.map(({ name, code }) => [name, code])));
  for (const [name, code] of examples) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  const config = { extends: resolve("tsconfig.base.json"), compilerOptions: { noEmit: true }, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { status, stdout } = spawnSync(process.execPath, [realpathSync("node_modules/.bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

/** Returns the names that an index.ts exports, each with the file that declares it. */
function exportedFrom(index: string): { readonly name: string; readonly file: string }[] {
  const text = readFileSync(index, "utf8");
  const reexported = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)].flatMap(
    ([, list = "", from = ""]) =>
      list.split(",").flatMap((part) => {
        const name = part
          .trim()
          .replace(/^type /, "")
          .split(" as ")[0];
        return name ? [{ name, file: join(index, "..", from) }] : [];
      }),
  );
  const declared = [...text.matchAll(DECLARATION)].map(([, name = ""]) => ({ name, file: index }));
  // An index.ts may export names of another index.ts.
  return [...declared, ...reexported].flatMap(({ name, file }) =>
    file.endsWith("/index.ts") && file !== index
      ? exportedFrom(file).filter((one) => one.name === name)
      : [{ name, file }],
  );
}

/** Returns the code blocks below `@example` in the doc comment of a declaration. */
function examplesOf(name: string, file: string): { readonly name: string; readonly code: string }[] {
  const text = readFileSync(file, "utf8");
  const declaration = [...text.matchAll(DECLARATION)].find(([, declared]) => declared === name);
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, declaration?.index ?? 0))?.[0] ?? "";
  const lines = comment.replace(/^ *\* ?/gm, "");
  return [...lines.matchAll(/^@example\n```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], index) => ({
    name: index === 0 ? name : `${name}-${index}`,
    code,
  }));
}

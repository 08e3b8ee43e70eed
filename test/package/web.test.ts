import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import { expect, test } from "vitest";
import type * as prompt from "../../packages/skillset/src/prompt/index.ts";
import { entryPoints, readManifest } from "../../scripts/packages.ts";

// The build for browsers, workers and edge functions, in dist/web.
const FOLDER = "packages/skillset";
const MANIFEST = readManifest(FOLDER);
const WEB = entryPoints(MANIFEST).flatMap(({ specifier, source, isWeb }) => {
  const path = source.replace(/^src\/(.+)\.ts$/, "$1.js");
  return isWeb ? [{ specifier, path }] : [];
});
const REFUSED = entryPoints(MANIFEST).filter(({ refusal }) => refusal !== undefined);
const PAGE = `
  import { createSkillset, defineSkill } from "skillset";
  globalThis.load = () => createSkillset([defineSkill({ name: "a", description: "b", body: "c" })]);`;
const PEERS = Object.keys(MANIFEST.peerDependencies ?? {});

test("the main entry point, prompts and every adapter without files have a build for the web", () => {
  expect(WEB.map(({ specifier }) => specifier).sort()).toEqual([
    "skillset",
    "skillset/adapter",
    "skillset/ai-sdk",
    "skillset/anthropic",
    "skillset/compat",
    "skillset/mcp",
    "skillset/openai",
    "skillset/openai-agents",
    "skillset/opentelemetry",
    "skillset/prompt",
  ]);
  // The others say that they need Node.
  expect(WEB.length + REFUSED.length).toBe(entryPoints(MANIFEST).length);
});

test.each(REFUSED)(
  "$specifier fails with a readable error in a program without Node",
  async ({ specifier, source }) => {
    const path = source.replace(/^src\/(.+)\.ts$/, "$1.js");
    const names = Object.keys(await import(pathToFileURL(resolve(FOLDER, "dist", path)).href));
    const [name] = names;
    const [chunk] = await bundle(`import { ${name} } from "${specifier}"; globalThis.used = ${name};`);
    const url = `data:text/javascript,${encodeURIComponent(chunk?.code ?? "")}`;
    await expect(import(url)).rejects.toThrow(`${specifier} needs Node, Bun or Deno`);
    const [all] = await bundle(`export * from "${specifier}";`);
    expect(all?.exports.sort()).toEqual(names.sort());
  },
);

test("sections of a prompt that need folders fail with a readable error on the web", async () => {
  const web = (await import(pathToFileURL(resolve(FOLDER, "dist/web/prompt/index.js")).href)) as typeof prompt;
  const { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate, SkillRef, WorkspaceSection } = web;
  expect(() => new AgentSkillsSection({ skillsDir: "./skills" })).toThrow("An AgentSkillsSection needs Node");
  expect(() => new SkillRef({ path: "./skills/tea" })).toThrow("A SkillRef needs Node");
  expect(() => new WorkspaceSection({ mounts: [], allowedHostRoots: [] })).toThrow("A WorkspaceSection needs Node");
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Greet $name." });
  const template = new PromptTemplate<{ name: string }>({ ns: "web", key: "greet", sections: [task] });
  const bound = new Prompt(template).bind({ name: "Ada" });
  expect(bound.render().text).toContain("Greet Ada.");
  expect(() => bound.render({ scripts: { runner: "subprocess" } })).toThrow("The option 'scripts' needs Node");
  await expect(bound.installAllSkills({ skillsDir: "./skills" })).rejects.toThrow("Installing skills needs Node");
});

test.each(WEB)("$specifier has the same exports on the web and on Node", async ({ path }) => {
  const [node, web] = await Promise.all(
    [path, `web/${path}`].map(
      async (file) => (await import(pathToFileURL(resolve(FOLDER, "dist", file)).href)) as object,
    ),
  );
  expect(Object.keys(web ?? {})).toEqual(Object.keys(node ?? {}));
});

test("no file of the web build names a module of Node", () => {
  const files = globSync(`${FOLDER}/dist/web/**/*.js`);
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((file) => /["'`]node:|\bgetBuiltinModule\b|\brequire\(/.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
});

test.each(WEB)(
  "a browser bundle with all of $specifier and its dependencies names no module of Node",
  async (entry) => {
    const chunks = await bundle(`export * from "${entry.specifier}";`);
    const imports = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const outside = imports.filter((name) => !own.has(name) && !PEERS.some((peer) => name.startsWith(peer)));
    expect(outside).toEqual([]);
    expect(chunks.filter(({ code }) => /(?:from|import\()\s*["'`]node:/.test(code))).toEqual([]);
  },
);

test("a page with skills in code starts with 25 kB at most, and loads YAML, sessions and ranking on demand", async () => {
  const chunks = await bundle(PAGE);
  const initial = reachable(chunks, "program.js", ({ imports }) => imports);
  const sizes = initial.map(({ code }) => gzipSync(code).length);
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000;
  console.log(`The initial chunks have ${kilobytes.toFixed(1)} kB, gzipped.`);
  expect(kilobytes).toBeGreaterThan(5);
  expect(kilobytes).toBeLessThanOrEqual(25);
  const modules = initial.flatMap(({ moduleIds }) => moduleIds.map((id) => id.split("/dist/web/").at(-1)));
  expect(modules).toContain("core/skill/define-skill.js");
  for (const lazy of [DEPENDENCY, /yaml\b(?!-node)/, /^core\/session/, /^core\/search\/skill-index/, /^core\/turn/])
    expect(modules.filter((id) => id !== undefined && lazy.test(id))).toEqual([]);
});

test("docs/runtimes.md has the sizes of what a page loads", async () => {
  const chunks = await bundle(PAGE);
  const seen = new Set<string>();
  /** The kilobytes of a module's chunk and of what it imports, without what is loaded already. */
  const loaded = (module: string): number => {
    const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    const parts = reachable(chunks, first?.fileName ?? "", ({ imports }) => imports).filter(
      ({ fileName }) => !seen.has(fileName),
    );
    for (const { fileName } of parts) seen.add(fileName);
    return parts.reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1_000;
  };
  const start = loaded("program.js");
  const loader = loaded("web/load-on-web.js");
  const actual = {
    "imports `createSkillset`": start,
    "calls `createSkillset`": loader,
    "opens a session": loaded("core/open-session.js"),
    "ranks or searches": loaded("core/search/skill-index.js"),
    "parses YAML": loaded("core/source/read-source.js"),
  };
  const page = readFileSync("docs/runtimes.md", "utf8");
  for (const [what, kilobytes] of Object.entries(actual)) {
    const [, written] = new RegExp(`^\\| ${what}.* \\| (\\d+) kB`, "m").exec(page) ?? [];
    expect.soft(Math.abs(Number(written) - kilobytes), `${what}: ${kilobytes} kB`).toBeLessThan(1);
  }
  const [, inAll] = /in all (\d+) kB/.exec(page) ?? [];
  expect(Math.abs(Number(inAll) - start - loader)).toBeLessThan(1);
});

test("calling createSkillset() loads neither a dependency, such as the YAML parser, nor sessions nor ranking", async () => {
  const chunks = await bundle(`export { loadOnWeb } from "${resolve(FOLDER, "dist/web/web/load-on-web.js")}";`);
  const modules = reachable(chunks, "program.js", ({ imports }) => imports).flatMap(({ moduleIds }) => moduleIds);
  expect(modules.some((id) => id.endsWith("core/skillset.js"))).toBe(true);
  expect(modules.filter((id) => DEPENDENCY.test(id) || /core\/session|skill-index|core\/turn/.test(id))).toEqual([]);
  // The parser is loaded on demand, whichever it is.
  const parsing = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith("core/manifest/yaml.js")));
  const onDemand = reachable(chunks, parsing?.fileName ?? "", ({ imports, dynamicImports }) => [
    ...imports,
    ...dynamicImports,
  ]);
  expect(onDemand.flatMap(({ moduleIds }) => moduleIds).filter((id) => DEPENDENCY.test(id))).not.toEqual([]);
});

/** A module of another package, which the build of the package may have made a part of it. */
const DEPENDENCY = /node_modules\/(?!skillset\/)|\/_inlined_/;

/** Bundles a program for browsers, minified, with the optional SDKs left out. */
async function bundle(program: string): Promise<OutputChunk[]> {
  const file = resolve("program.js");
  const build = await rolldown({
    input: { program: file },
    platform: "browser",
    external: (id) => PEERS.some((peer) => id === peer || id.startsWith(`${peer}/`)),
    logLevel: "silent",
    plugins: [
      { name: "program", resolveId: (id) => (id === file ? id : null), load: (id) => (id === file ? program : null) },
    ],
  });
  const { output } = await build.generate({ format: "esm", minify: true, entryFileNames: "[name].js" });
  await build.close();
  return output.filter((part) => part.type === "chunk");
}

function reachable(
  chunks: readonly OutputChunk[],
  from: string,
  next: (chunk: OutputChunk) => string[],
): OutputChunk[] {
  const names = new Set([from]);
  for (const name of names)
    for (const one of chunks.filter(({ fileName }) => fileName === name).flatMap(next)) names.add(one);
  return chunks.filter(({ fileName }) => names.has(fileName));
}

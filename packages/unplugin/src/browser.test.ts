import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";
import { skillset } from "./index.ts";
import { createProject } from "./testing/project.ts";

const MAIN = `import { createSkillset } from "skillset";
import skills from "./skills?skillset";
const set = await createSkillset(skills);
const session = await set.session();
const { text } = await session.activate("pdf");
const { content } = await session.files("pdf").read("references/forms.md");
globalThis.result = JSON.stringify({ names: set.names, catalog: set.catalog().text, text, content });
`;

/** Imports a module without what only Node has. */
const RUN = `const { log } = console;
for (const name of ["process", "Buffer", "require", "global"]) delete globalThis[name];
await import("./dist/main.js");
log(globalThis.result);
`;

test("a bundle for browsers has compiled skills and no module of Node", async () => {
  const { root } = createProject({ "main.js": MAIN, "run.mjs": RUN });
  const lib = { entry: "main.js", formats: ["es" as const], fileName: "main" };
  await build({ root, configFile: false, logLevel: "silent", plugins: [skillset.vite()], build: { lib } });
  const chunks = readdirSync(join(root, "dist")).map((name) => readFileSync(join(root, "dist", name), "utf8"));
  expect(chunks.filter((code) => /["'`]node:/.test(code))).toEqual([]);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "run.mjs")], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    names: ["pdf", "tea"],
    catalog: expect.stringContaining("Makes &lt;tea&gt; &amp; more."),
    text: expect.stringContaining("Read references/forms.md."),
    content: "Forms.\n",
  });
});

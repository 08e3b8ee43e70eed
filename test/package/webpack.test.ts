import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { type Configuration, type Stats, webpack } from "webpack";
import { temporaryFolder } from "../temporary-folder.ts";

const PROGRAM = `
  import { createSkillset } from "skillset";
  import { ClaudeAgentSDKAdapter } from "skillset/claude";

  main();
  async function main() {
    const skills = await createSkillset(process.argv[2], { toolsets: "in-process" });
    const session = await skills.session();
    await session.activate("numbers");
    const { value } = await session.call("numbers", "double", { number: 21 });
    console.log(value, typeof ClaudeAgentSDKAdapter);
  }
`;
const SKILL = "---\nname: numbers\ndescription: Doubles numbers.\ntoolsets: [numbers.mjs:numbers]\n---\n\nDouble it.\n";
const TOOLSET = `export const numbers = { tools: [{
  name: "double", description: "Doubles.", inputSchema: { type: "object" }, handler: ({ number }) => number * 2,
}] };`;

test("a bundle of webpack is built without a warning, and imports modules that are known only at runtime", async () => {
  const folder = temporaryFolder({
    "program.mjs": PROGRAM,
    "skills/numbers/SKILL.md": SKILL,
    "skills/numbers/numbers.mjs": TOOLSET,
    "package.json": JSON.stringify({ name: "app", type: "commonjs" }),
  });
  const stats = await build({
    mode: "none",
    target: "node22",
    context: folder,
    entry: "./program.mjs",
    output: { path: join(folder, "out"), filename: "program.js" },
    resolve: { modules: [resolve("node_modules")] },
    externals: [/^(?:ai|openai|@openai|@anthropic-ai|@opentelemetry)/],
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
  const program = join(folder, "out/program.js");
  const stdout = execFileSync(process.execPath, [program, join(folder, "skills")], { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("42 function\n");
});

function build(options: Configuration): Promise<Stats> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Stats>();
  webpack(options, (error, stats) => (stats === undefined ? reject(error) : settle(stats)));
  return promise;
}

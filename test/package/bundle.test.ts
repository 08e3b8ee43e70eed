import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "rolldown";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

/** Needs the complete YAML parser, because plain frontmatter has no folded block. */
const FOLDED = "---\nname: folded\ndescription: >-\n  Folds texts.\n  Use it for folding.\n---\n\n# Folded\n";

const PROGRAM = `
  import { createSkillset, standardFolders } from "skillset";
  import { BUNDLED_SKILLS } from "skillset/node";
  import { connectAgent } from "skillset/acp";

  main();
  async function main() {
  const given = await createSkillset(process.argv[2]);
  const bundled = standardFolders({ bundled: true }).filter(({ scope }) => scope === "bundled");
  const own = await createSkillset(bundled);
  const summary = own.skills.find(({ name }) => name === "data-summary");
  const script = await summary.files.read("scripts/summarise.mjs");
  console.log(JSON.stringify({
    given: given.skills.map(({ name, description }) => [name, description]),
    problems: [...given.problems, ...own.problems],
    bundled: own.skills.map(({ name }) => name),
    path: BUNDLED_SKILLS,
    location: summary.location,
    script: new TextDecoder().decode(script).length,
    reloaded: (await own.reload()).skillset.skills.length,
    ranked: (await own.rank("review my pull request"))[0].skill.name,
    agent: typeof connectAgent,
  }));
  }
`;

// The folder two levels above a bundle may contain other skills, which are not the library's.
test.each(["esm", "cjs"] as const)(
  "a bundle (%s) loads folders, YAML and the bundled skills without node_modules",
  async (format) => {
    const folder = temporaryFolder({
      "program.js": PROGRAM,
      "given/plain/SKILL.md": skillMd("plain", "Is plain."),
      "given/folded/SKILL.md": FOLDED,
      "skills/foreign/SKILL.md": skillMd("foreign"),
      "package.json": JSON.stringify({ name: "app", type: format === "esm" ? "module" : "commonjs" }),
    });
    await build({
      input: join(folder, "program.js"),
      platform: "node",
      logLevel: "silent",
      external: [/^(?:ai|openai|@openai|@anthropic-ai|@opentelemetry)/],
      resolve: { modules: [resolve("node_modules")] },
      output: { dir: join(folder, "out/server"), format },
    });
    const program = join(folder, "out/server/program.js");
    const stdout = execFileSync(process.execPath, [program, join(folder, "given")], { cwd: folder, encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual({
      given: [
        ["folded", "Folds texts. Use it for folding."],
        ["plain", "Is plain."],
      ],
      problems: [],
      bundled: readdirSync("packages/skillset/skills").sort(),
      path: "skillset:bundled-skills",
      location: "skillset/data-summary/SKILL.md",
      script: expect.any(Number),
      reloaded: 6,
      ranked: "code-review",
      agent: "function",
    });
  },
);

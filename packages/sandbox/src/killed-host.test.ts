import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { processesWith } from "../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../test/temporary-folder.ts";

const HOST = `
import { createSkillset } from "skillset";
const [folder, script, mark] = process.argv.slice(1);
const scripts = { runner: "embedded", consent: () => "always", onOutput: () => process.stdout.write("started") };
const session = await (await createSkillset([folder], { scripts })).session();
await session.scripts.run("loop", script, { args: [mark] });
`;

test.skipIf(process.platform !== "linux").each(["scripts/loop.sh", "scripts/loop.mjs"])(
  "%s ends when the program that runs it is killed",
  async (script) => {
    const folder = temporaryFolder({
      "skills/loop/SKILL.md": skillMd("loop"),
      "skills/loop/scripts/loop.sh": "echo go\nwhile true; do :; done\n",
      "skills/loop/scripts/loop.mjs": "console.log('go');\nsetInterval(() => {}, 1000);\n",
    });
    const mark = `mark-${Date.now()}`;
    const source = ["--input-type=module", "--eval", HOST, "--", `${folder}/skills`, script, mark];
    const host = spawn(process.execPath, source, { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] });
    await once(host.stdout, "data");
    expect(processesWith(mark).length).toBeGreaterThan(1);
    host.kill("SIGKILL");
    await once(host, "exit");
    for (let waited = 0; waited < 10_000 && processesWith(mark).length > 0; waited += 100) await pause(100);
    expect(processesWith(mark)).toEqual([]);
  },
);

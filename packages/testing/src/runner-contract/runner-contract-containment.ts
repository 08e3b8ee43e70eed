import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSkillset } from "skillset";
import { type RunnerScenario, withScript } from "./runner-contract-place.ts";

/** What a script cannot reach. */
export const containmentScenarios: readonly RunnerScenario[] = [
  {
    id: "no-links",
    title: "Links in a skill are not there when its scripts run",
    run: async ({ runner }) => {
      const root = mkdtempSync(join(tmpdir(), "skillset-runner-"));
      try {
        const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
        write("SKILL.md", "---\nname: tea\ndescription: Makes tea.\n---\n\nRun look.sh.\n");
        write("look.sh", "[ -f SKILL.md ] && for name in inside outside; do cat $name.txt; done\n");
        write("real.txt", "real\n");
        symlinkSync("/etc/hostname", join(root, "outside.txt"));
        symlinkSync("real.txt", join(root, "inside.txt"));
        const skills = await createSkillset([root], { scripts: { runner, consent: () => "once" } });
        const result = await (await skills.session()).scripts.run("tea", "look.sh");
        assert.ok(result.outcome === "exited", JSON.stringify(result));
        assert.doesNotMatch(result.stdout, /^(?!real$).+/m);
        assert.match(result.stderr, /outside\.txt/);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  },
  {
    id: "read-only",
    title: "The script cannot change the skill",
    needs: ["contained"],
    run: (runner) => {
      const attempts = ["echo no >new", "echo no >data.txt", "rm data.txt", "mkdir folder", "mv data.txt other"];
      const script = attempts.map((attempt) => `(${attempt}) 2>/dev/null\n`).join("");
      return withScript(
        runner,
        { "change.sh": `${script}true\n`, "data.txt": "same" },
        async ({ run, skillFolder }) => {
          await run();
          assert.deepEqual(readdirSync(skillFolder).sort(), ["change.sh", "data.txt"]);
          assert.equal(readFileSync(join(skillFolder, "data.txt"), "utf8"), "same");
        },
      );
    },
  },
  {
    id: "no-host-files",
    title: "The script cannot see files of the host",
    needs: ["contained"],
    run: (runner) => {
      // An empty folder may be there.
      const script = 'for path in "$@"; do ls -A "$path" 2>/dev/null; cat "$path" 2>/dev/null; done; true\n';
      return withScript(runner, { "look.sh": script }, async ({ stdoutOf, outputFolder }) => {
        const canary = join(outputFolder, "../canary.txt");
        writeFileSync(canary, "canary", { mode: 0o644 });
        const args = [
          canary,
          "../canary.txt",
          "/proc/1/root/etc/shadow",
          "/etc/shadow",
          "/root",
          "/home",
          "/run",
          "/sys",
        ];
        assert.equal(await stdoutOf({ args }), "");
      });
    },
  },
  {
    id: "no-host-changes",
    title: "The script cannot write beside its folders",
    needs: ["contained"],
    run: (runner) => {
      const script = 'for path in "$@"; do (echo no >"$path") 2>/dev/null; done; true\n';
      return withScript(runner, { "write.sh": script }, async ({ stdoutOf, outputFolder }) => {
        const beside = join(outputFolder, "../beside.txt");
        await stdoutOf({ args: [beside, "../beside.txt", "$OUTPUT_DIR/../beside.txt"] });
        assert.ok(!existsSync(beside));
      });
    },
  },
  {
    id: "no-network",
    title: "The script cannot connect to a server on this machine",
    needs: ["contained", "javascript"],
    run: async (runner) => {
      let requests = 0;
      const server = createServer((_request, response) => {
        requests++;
        response.end("reached");
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const script = `fetch("http://127.0.0.1:${port}/").then(() => console.log("reached"), () => console.log("failed"));\n`;
      try {
        await withScript(runner, { "connect.mjs": script }, async ({ run }) => {
          const end = await run();
          assert.ok(end.outcome === "exited", JSON.stringify(end));
          assert.doesNotMatch(end.stdout, /reached/);
          assert.equal(requests, 0);
        });
      } finally {
        server.close();
      }
    },
  },
];

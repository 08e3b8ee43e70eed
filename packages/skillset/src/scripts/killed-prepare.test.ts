import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildWheel } from "../../../../test/packages/archives.ts";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { servePackages } from "../../../../test/packages/package-registry.ts";
import { endWithTest, processesWith } from "../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { bubblewrap } from "./runners/bubblewrap.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;
const MAIN = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
const PROGRAM = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

test.skipIf(!hasSandbox)(
  "a killed installation leaves no process and no half environment, and the next one succeeds",
  async () => {
    const cwd = temporaryFolder({ "tea/SKILL.md": skillMd("tea"), "tea/requirements.txt": "words\n" });
    const cache = cacheFolder();
    const wheel = buildWheel("words", "2.1", { "words.py": "" });
    const { addresses } = await servePackages({ "words-2.1-py3-none-any.whl": wheel });
    const start = () => {
      const child = spawn(
        process.execPath,
        ["--input-type=module", "-e", PROGRAM, "run", "./tea", "--prepare", "--yes"],
        {
          cwd,
          env: { ...process.env, SKILLSET_CACHE_HOME: cache, PIP_INDEX_URL: addresses.pythonIndex },
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      endWithTest(child);
      return child;
    };
    const packages = join(cache, "packages");
    const killed = start();
    // pip has started.
    await expect.poll(() => processesWith(packages).length, { timeout: 30_000 }).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(readdirSync(packages)).toEqual([expect.stringMatching(/^\.staging-/)]);
    await expect.poll(() => processesWith(packages), { timeout: 10_000 }).toEqual([]);
    expect(await once(start(), "exit")).toEqual([0, null]);
    expect(readdirSync(packages)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  },
  60_000,
);

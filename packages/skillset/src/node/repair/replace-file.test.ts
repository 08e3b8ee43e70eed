import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { report } from "../../../../../test/security/report.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { replaceFile } from "./replace-file.ts";

const SWAPPER = fileURLToPath(new URL("../../../../../test/security/swap-link.mjs", import.meta.url));

test("the text is replaced, the mode is kept, and no temporary file is left", () => {
  const root = temporaryFolder({ "a/SKILL.md": "before" });
  const file = join(root, "a/SKILL.md");
  chmodSync(file, 0o664);
  replaceFile(file, "after");
  expect(readFileSync(file, "utf8")).toBe("after");
  expect(statSync(file).mode & 0o777).toBe(0o664);
  expect(readdirSync(join(root, "a"))).toEqual(["SKILL.md"]);
});

test.each(["file", "folder"] as const)(
  "a %s that is replaced by a link never redirects the text to another folder",
  async (kind) => {
    const root = temporaryFolder({ "a/SKILL.md": "own", "kept/SKILL.md": "own", "outside/SKILL.md": "outside" });
    const [file, outside] = [join(root, "a/SKILL.md"), join(root, "outside/SKILL.md")];
    const swapped = kind === "file" ? "/SKILL.md" : "";
    const places = [`a${swapped}`, kind === "file" ? "kept/SKILL.md" : "aside", `outside${swapped}`, "scratch"];
    const paths = places.map((place) => join(root, place));
    const swapper = spawn(process.execPath, [SWAPPER, kind, ...paths, "600"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(async () => {
      const gone = once(swapper, "exit");
      if (swapper.exitCode === null && swapper.kill()) await gone;
    });
    await once(swapper.stdout, "data");
    const tried = (replace: () => void): boolean => {
      try {
        replace();
        return true;
      } catch {
        // The folder was missing for a moment, or was refused.
        return false;
      }
    };
    const cases = Math.min(Number(process.env.CASES ?? 500), 10_000);
    let through = 0;
    let done = 0;
    let end = Date.now() + 20_000;
    for (let index = 0; index < cases || (done === 0 && Date.now() < end); index++) {
      if (tried(() => replaceFile(file, "new"))) done++;
      if (readFileSync(outside, "utf8") !== "outside") through++;
      writeFileSync(outside, "outside");
    }
    // The naive way: resolve the file, and write to the result.
    let tries = 0;
    end = Date.now() + 20_000;
    for (; readFileSync(outside, "utf8") === "outside" && Date.now() < end; tries++)
      tried(() => writeFileSync(realpathSync(file), "new"));
    report("S6", {
      tried: "writes of a file that is swapped",
      cases,
      through,
      control: "writing to the real path overwrites a file outside",
      note: `the control needed ${tries} tries`,
    });
    expect(through).toBe(0);
    expect(done).toBeGreaterThan(0);
    expect(readFileSync(outside, "utf8")).toBe("new");
  },
);

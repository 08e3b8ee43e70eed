import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import { endWithTest } from "../processes.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const SWAPPER = fileURLToPath(new URL("./swap-link.mjs", import.meta.url));
const SECRET = "A description from outside.";
/** Maximum time for the control; most machines need a fraction of a second. */
const SECONDS = 40;

test("a SKILL.md in a folder that is swapped during the read never shows content from outside", async () => {
  const root = temporaryFolder({
    "skills/a/docs/s.md": skillMd("a", "Its own."),
    "outside/s.md": skillMd("a", SECRET),
  });
  const folder = join(root, "skills/a");
  symlinkSync("docs/s.md", join(folder, "SKILL.md"));
  const places = [join(folder, "docs"), join(root, "aside"), join(root, "outside"), join(root, "scratch")];
  const swapper = spawn(process.execPath, [SWAPPER, "folder", ...places, String(SECONDS)]);
  endWithTest(swapper);
  await once(swapper.stdout, "data");

  const cases = Math.min(Number(process.env.CASES ?? 2_000), 20_000);
  let own = 0;
  let through = 0;
  for (let index = 0; index < cases; index++) {
    const description = (await createSkillset([join(root, "skills")])).get("a")?.description;
    if (description === "Its own.") own++;
    if (description === SECRET) through++;
  }
  expect(own).toBeGreaterThan(0);
  expect(through).toBe(0);

  const deadline = Date.now() + 15_000;
  let tries = 0;
  while (!naiveReadEscapes(folder) && Date.now() < deadline) tries++;
  expect(Date.now()).toBeLessThan(deadline);
  report("S6", {
    tried: "loads of a skill in a folder that is swapped",
    cases,
    through,
    control: "checking the real path and then reading shows the secret",
    note: `the control needed ${tries} tries`,
  });
});

/** Naive: resolves the link, and reads if the target is inside. */
function naiveReadEscapes(folder: string): boolean {
  try {
    const target = realpathSync(join(folder, "SKILL.md"));
    return target.startsWith(`${folder}/`) && readFileSync(target, "utf8").includes(SECRET);
  } catch {
    return false;
  }
}

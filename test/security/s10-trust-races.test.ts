import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, type Skill, SkillError, standardFolders } from "../../packages/skillset/src/index.ts";
import { installSkills, TrustStore } from "../../packages/skillset/src/node/index.ts";
import { toInstallItems } from "../../packages/skillset/src/node/install/native-skills.ts";
import { checkTrust, type TrustRecord } from "../../packages/skillset/src/node/trust/trust.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const SWAPPER = fileURLToPath(new URL("./swap-link.mjs", import.meta.url));
const GOOD = "what the user has read and trusted";
const EVIL = "what nobody has read";
/** Maximum time for the control; most machines need a fraction of a second. */
const CONTROL_SECONDS = 20;
const CASES = Number(process.env.CASES ?? 2_000);

interface World {
  readonly root: string;
  readonly folder: string;
  readonly record: TrustRecord;
  load(): Promise<Skill | undefined>;
}

async function world(): Promise<World> {
  const root = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.agents/skills/a/SKILL.md": skillMd("a", GOOD, GOOD),
    "repo/.agents/skills/a/scripts/s.sh": GOOD,
    "good/SKILL.md": skillMd("a", GOOD, GOOD),
    "evil/SKILL.md": skillMd("a", EVIL, EVIL),
    "evil/scripts/s.sh": EVIL,
  });
  const folder = join(root, "repo/.agents/skills/a");
  const trustStore = new TrustStore(join(root, "config/trust.json"));
  trustStore.trust([folder]);
  const record = trustStore.read().get(folder) as TrustRecord;
  const sources = standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false });
  const load = async () => (await createSkillset(sources, { trustStore })).get("a");
  return { root, folder, record, load };
}

/** Swaps the skill's SKILL.md, or its whole folder, for an evil one and back, until the test ends. */
async function startSwapping(kind: "other-file" | "other-folder", { root, folder }: World) {
  const swapped = kind === "other-file" ? "/SKILL.md" : "";
  const real = kind === "other-file" ? "good/SKILL.md" : "aside";
  const places = [`${folder}${swapped}`, join(root, real), join(root, `evil${swapped}`), join(root, "scratch")];
  const swapper = spawn(process.execPath, [SWAPPER, kind, ...places, "600"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    const gone = once(swapper, "exit");
    if (swapper.exitCode === null && swapper.kill()) await gone;
  });
  await once(swapper.stdout, "data");
  return swapper;
}

/** Repeats the naive check until it leaks. Without a leak, the race did not happen and the test proves nothing. */
function triesUntilLeak(naive: () => string): number {
  const end = Date.now() + CONTROL_SECONDS * 1_000;
  for (let tries = 1; Date.now() < end; tries++) {
    try {
      if (naive().includes(EVIL)) return tries;
    } catch {
      // The folder was missing for a moment.
    }
  }
  throw new Error("The naive check never leaked.");
}

class Tally {
  readonly #end = Date.now() + CONTROL_SECONDS * 1_000;
  readonly seen = { good: 0, evil: 0, refused: 0 };

  /** Repeats until the trusted content was seen once, because a skill that is always refused proves nothing. */
  wants(done: number, cases: number): boolean {
    return done < cases || (this.seen.good === 0 && Date.now() < this.#end);
  }

  async add(content: Promise<string | undefined>): Promise<void> {
    try {
      const text = await content;
      if (text?.includes(EVIL)) this.seen.evil++;
      else if (text?.includes(GOOD)) this.seen.good++;
      else this.seen.refused++;
    } catch (error) {
      expect(error).toBeInstanceOf(SkillError);
      this.seen.refused++;
    }
  }
}

describe.each(["other-file", "other-folder"] as const)("while %s is swapped in and out, a trusted skill", (kind) => {
  const remarks = ({ good, refused }: Tally["seen"]) => `${good} with the trusted content, ${refused} refused`;

  test("returns only trusted content", { timeout: 600_000 }, async () => {
    const its = await world();
    const skill = await its.load();
    const swapper = await startSwapping(kind, its);
    const tally = new Tally();
    const cases = Math.min(CASES, 20_000) / 2;
    for (let done = 0; tally.wants(done, cases); done += 2) {
      await tally.add(Promise.resolve(skill?.instructions()));
      await tally.add(Promise.resolve(skill?.files.read("SKILL.md")).then((bytes) => new TextDecoder().decode(bytes)));
    }
    const tries = triesUntilLeak(() => {
      if (checkTrust(its.folder, its.record) !== "trusted") return "";
      return readFileSync(join(its.folder, "SKILL.md"), "utf8");
    });
    report("S10", {
      tried: "uses of a trusted skill that is swapped",
      cases,
      through: tally.seen.evil,
      control: "checking the trust and then reading leaks",
      note: `${kind}: ${remarks(tally.seen)}; the control leaked after ${tries} tries`,
    });
    expect(swapper.exitCode).toBeNull();
    expect(tally.seen).toMatchObject({ evil: 0, good: expect.toSatisfy((count: number) => count > 0) });
  });

  test("is described only by trusted content", { timeout: 600_000 }, async () => {
    const its = await world();
    const swapper = await startSwapping(kind, its);
    const tally = new Tally();
    const cases = Math.min(CASES, 20_000) / 10;
    for (let done = 0; tally.wants(done, cases); done++)
      await tally.add(its.load().then((skill) => skill?.description));
    const tries = triesUntilLeak(() => {
      const text = readFileSync(join(its.folder, "SKILL.md"), "utf8");
      return checkTrust(its.folder, its.record) === "trusted" ? text : "";
    });
    report("S10", {
      tried: "loads of a trusted skill that is swapped",
      cases,
      through: tally.seen.evil,
      control: "reading and then checking the trust leaks",
      note: `${kind}: ${remarks(tally.seen)}; the control leaked after ${tries} tries`,
    });
    expect(swapper.exitCode).toBeNull();
    expect(tally.seen).toMatchObject({ evil: 0, good: expect.toSatisfy((count: number) => count > 0) });
  });

  test("is installed only with trusted content", { timeout: 600_000 }, async () => {
    const its = await world();
    const items = await toInstallItems(await createSkillset([(await its.load()) as Skill]));
    const swapper = await startSwapping(kind, its);
    const tally = new Tally();
    const cases = Math.min(CASES / 4, 5_000) / 2;
    for (let done = 0; tally.wants(done, cases); done++) {
      const home = join(its.root, "home", String(done));
      await tally.add(
        installSkills(home, items, { readOnly: false }).then(([copy = ""]) =>
          ["SKILL.md", "scripts/s.sh"].map((path) => readFileSync(join(copy, path), "utf8")).join("\n"),
        ),
      );
      rmSync(home, { recursive: true, force: true });
    }
    const copy = join(its.root, "copy");
    const tries = triesUntilLeak(() => {
      rmSync(copy, { recursive: true, force: true });
      if (checkTrust(its.folder, its.record) !== "trusted") return "";
      // File by file: Node's recursive copy ends the process if a folder disappears during the copy.
      mkdirSync(copy, { recursive: true });
      copyFileSync(join(its.folder, "SKILL.md"), join(copy, "SKILL.md"));
      return readFileSync(join(copy, "SKILL.md"), "utf8");
    });
    report("S10", {
      tried: "installs of a trusted skill that is swapped",
      cases,
      through: tally.seen.evil,
      control: "checking the trust and then copying leaks",
      note: `${kind}: ${remarks(tally.seen)}; the control leaked after ${tries} tries`,
    });
    expect(swapper.exitCode).toBeNull();
    expect(tally.seen).toMatchObject({ evil: 0, good: expect.toSatisfy((count: number) => count > 0) });
  });
});

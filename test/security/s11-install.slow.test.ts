import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { SkillInstallationError } from "../../packages/skillset/src/core/base/errors.ts";
import { createTemporaryHome, installSkills } from "../../packages/skillset/src/node/index.ts";
import { endWithTest } from "../processes.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { fault, TAKES_ROOM, watchOperations } from "./file-faults.ts";
import { itemsFrom } from "./install-items.ts";
import { halfInstalled, installWorld, makeSource, readNames, snapshot } from "./install-world.ts";
import { report } from "./report.ts";

const CASES = Number(process.env.CASES ?? 100);
const IS_FULL = CASES >= 10_000;
/** A sample is enough where every operation was tried before. */
const STEP = IS_FULL ? 1 : 4;
const CODES = ["ENOSPC", "EIO", "EACCES"] as const;
const inThisFolder = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const FAILING = "installations with a file operation that fails";

describe("a failing file operation, whichever it is,", { timeout: 600_000 }, () => {
  const places = { "a folder that holds skills": "agent/skills", "a folder that is new": "agent/new/deep/skills" };

  test.each(Object.entries(places))("leaves no part of the skills in %s, or next to it", async (_, place) => {
    const source = makeSource();
    const count = await countOperations(source, place);
    const seen = { refused: 0, done: 0, through: 0 };
    for (let number = 1; number <= count; number++) {
      for (const code of codesFor(number)) {
        const { folder, before, error } = await installWith(source, place, (operation, at) => {
          if (at === number) throw fault(code, operation);
        });
        const after = snapshot(folder);
        const skills = join(folder, place);
        if (error === undefined) {
          // Cleanup operations may fail silently.
          seen.done++;
          expect(halfInstalled(skills)).toEqual([]);
          expect(readNames(skills)).toEqual(expect.arrayContaining(["big", "small"]));
          if (Object.keys(after).some((path) => path.includes("staging"))) seen.through++;
        } else {
          seen.refused++;
          expectTyped(error, code, folder, place);
          if (JSON.stringify(after) !== JSON.stringify(before)) seen.through++;
        }
      }
    }
    const note = `${count} file operations per installation, each failing: ${seen.refused} threw an error, ${seen.done} continued`;
    report("S11", { tried: FAILING, cases: seen.refused + seen.done, through: seen.through, note });
    expect(seen.through).toBe(0);
    expect(seen.refused).toBeGreaterThan(4 * seen.done);
  });

  test("with all later writes failing, leaves nothing behind: the disk is full", async () => {
    const source = makeSource();
    const count = await countOperations(source, "agent/skills");
    let through = 0;
    for (let number = 1; number <= count; number += STEP) {
      const { folder, before, error } = await installWith(source, "agent/skills", (operation, at) => {
        if (at >= number && TAKES_ROOM.has(operation)) throw fault("ENOSPC", operation);
      });
      if (error === undefined) expect(halfInstalled(join(folder, "agent/skills"))).toEqual([]);
      else if (JSON.stringify(snapshot(folder)) !== JSON.stringify(before)) through++;
    }
    report("S11", { tried: FAILING, cases: Math.ceil(count / STEP), through });
    expect(through).toBe(0);
  });

  test("with all later operations failing, leaves no partial skill: the disk is gone", async () => {
    const source = makeSource();
    const count = await countOperations(source, "agent/skills");
    let through = 0;
    for (let number = 1; number <= count; number += STEP) {
      const { folder, error } = await installWith(source, "agent/skills", (operation, at) => {
        if (at >= number) throw fault("EIO", operation);
      });
      if (error !== undefined) expect(error).toBeInstanceOf(SkillInstallationError);
      if (halfInstalled(join(folder, "agent/skills")).length > 0) through++;
    }
    report("S11", { tried: FAILING, cases: Math.ceil(count / STEP), through });
    expect(through).toBe(0);
  });

  test("removes a home that was being created", async () => {
    const make = async (): Promise<void> => {
      const home = await createTemporaryHome({ agent: "claude", skills: source });
      made++;
      await home.close();
    };
    const source = makeSource();
    const temporary = ownTemporaryFolder();
    let made = 0;
    await make();
    const count = await watchOperations(() => {}, make);
    let through = 0;
    for (let number = 1; number <= count; number++) {
      for (const code of codesFor(number)) {
        await watchOperations(
          (operation, at) => {
            if (at === number) throw fault(code, operation);
          },
          () => make().catch(() => {}),
        );
        if (readNames(temporary).length > 0) through++;
        for (const name of readNames(temporary)) rmSync(join(temporary, name), { recursive: true });
      }
    }
    report("S11", {
      tried: "homes with a file operation that fails",
      cases: count * (IS_FULL ? 3 : 1),
      through,
      note: `${count} file operations per home`,
    });
    expect(through).toBe(0);
    expect(made).toBeGreaterThan(1);
  });
});

describe("a process that is killed at any file operation", { timeout: 600_000 }, () => {
  test("leaves complete skills or none, and the next process removes its leftovers", async () => {
    const source = makeSource();
    const count = Number((await runSteps("install", 0, source, installWorld())).out);
    const steps = sample(count);
    const control = { half: 0 };
    let through = 0;
    for (const step of steps) {
      const folder = installWorld();
      expect(await runSteps("install", step, source, folder)).toMatchObject({ signal: "SIGKILL" });
      const skills = join(folder, "agent/skills");
      if (halfInstalled(skills).length > 0) through++;
      if (halfInstalled(stagedIn(folder)).length > 0) control.half++;
      rmSync(join(skills, "there"), { recursive: true });
      await installSkills(skills, [{ name: "there", source: "inline", content: skillMd("there") }]);
      if (readNames(join(folder, "agent")).join() !== "skills") through++;
    }
    report("S11", {
      tried: "installations killed at a file operation",
      cases: steps.length,
      through,
      control: `without staging, a partial skill is visible after ${control.half} of ${steps.length} kills`,
      note: `killed at ${steps.length} of ${count} file operations of an installation`,
    });
    expect(through).toBe(0);
    expect(control.half).toBeGreaterThan(0);
  });

  test("leaves a home that the next home removes", async () => {
    const source = makeSource();
    const temporary = ownTemporaryFolder();
    const count = Number((await runSteps("home", 0, source)).out);
    const steps = sample(count);
    let [through, left] = [0, 0];
    for (const step of steps) {
      expect(await runSteps("home", step, source)).toMatchObject({ signal: "SIGKILL" });
      left += readNames(temporary).length;
      await (await createTemporaryHome({ agent: "codex", skills: source })).close();
      through += readNames(temporary).length;
    }
    report("S11", {
      tried: "homes killed at a file operation",
      cases: steps.length,
      through,
      note: `killed at ${steps.length} of ${count} file operations of a home, of which ${left} left one behind`,
    });
    expect(through).toBe(0);
    expect(left).toBeGreaterThan(steps.length / 2);
  });
});

test("the file that names a home's owner is removed last", async () => {
  const home = await createTemporaryHome({ agent: "claude", skills: makeSource() });
  const removed: string[] = [];
  await watchOperations(
    (operation, _number, [path]) => {
      if (/^(?:unlink|rm|rmdir)Sync$/.test(operation)) removed.push(basename(String(path)));
    },
    () => home.close(),
  );
  expect(removed.slice(-2)).toEqual([".skillset-owner", basename(dirname(home.home))]);
  expect(removed).toContain("home");
});

test.each(["file", "folder"] as const)(
  "a %s that is swapped for a link during the copy is never followed",
  async (what) => {
    const secret = "the secret of the neighbours";
    const root = temporaryFolder({
      "secret.txt": secret,
      "outside/a.md": secret,
      "kept/a.md": "own",
      "victim/SKILL.md": skillMd("victim"),
      "victim/references/a.md": "own",
    });
    const victim = join(root, "victim");
    const [path, real, target] =
      what === "file"
        ? [join(victim, "references/a.md"), join(root, "kept/a.md"), join(root, "secret.txt")]
        : [join(victim, "references"), join(root, "moved"), join(root, "outside")];
    const args = [what, path, real, target, join(root, "scratch"), "600"];
    const swapper = spawn(process.execPath, [inThisFolder("swap-link.mjs"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    endWithTest(swapper);
    await once(swapper.stdout, "data");

    const seen = { secret: 0, own: 0, refused: 0, naive: 0 };
    const cases = Math.min(CASES, 2_000);
    const end = Date.now() + 20_000;
    let tried = 0;
    for (; tried < cases || (Math.min(seen.own, seen.naive) === 0 && Date.now() < end); tried++) {
      const skills = join(root, "skills");
      try {
        await installSkills(skills, [{ name: "victim", source: "ref", folder: victim }]);
        if (readFileSync(join(skills, "victim/references/a.md"), "utf8") === "own") seen.own++;
        else seen.secret++;
      } catch {
        seen.refused++;
      }
      rmSync(skills, { recursive: true, force: true });
      for (let look = 0; look < 200; look++) if (naiveRead(victim) === secret) seen.naive++;
    }
    report("S11", {
      tried: `installations of a ${what} that is swapped`,
      cases: tried,
      through: seen.secret,
      control: "checking for links and then reading shows the secret",
      note: `${seen.own} copies had the skill's content, ${seen.refused} were refused; the control shows the secret in ${seen.naive} of ${200 * tried} reads`,
    });
    expect(swapper.exitCode).toBeNull();
    expect(seen.secret).toBe(0);
    expect(seen.own).toBeGreaterThan(0);
    expect(seen.naive).toBeGreaterThan(0);
  },
);

/** Naive: checks for links first, and then reads. */
function naiveRead(folder: string): string {
  try {
    const path = join(folder, "references/a.md");
    const isLinked = [join(folder, "references"), path].some((part) => lstatSync(part).isSymbolicLink());
    return isLinked ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns all operations if there is time; otherwise one of each kind. */
function codesFor(number: number): readonly string[] {
  return IS_FULL ? CODES : [CODES[number % CODES.length] ?? CODES[0]];
}

async function countOperations(source: string, place: string): Promise<number> {
  const folder = installWorld();
  return watchOperations(
    () => {},
    () => installSkills(join(folder, place), itemsFrom(source)),
  );
}

async function installWith(source: string, place: string, before: (operation: string, number: number) => void) {
  const folder = installWorld();
  const earlier = snapshot(folder);
  let error: unknown;
  await watchOperations(before, () =>
    installSkills(join(folder, place), itemsFrom(source)).catch((thrown: unknown) => {
      error = thrown;
    }),
  );
  return { folder, before: earlier, error };
}

function expectTyped(error: unknown, code: string, folder: string, place: string): void {
  expect(error).toBeInstanceOf(SkillInstallationError);
  const { skillName, skillsDir, source, cause } = error as SkillInstallationError;
  expect(["small", "big"]).toContain(skillName);
  expect(source).toBe(skillName === "small" ? "inline" : "ref");
  expect(skillsDir).toBe(join(folder, place));
  expect(cause).toMatchObject({ code });
}

/** Returns every step if all are to be tried; otherwise a spread sample. */
function sample(count: number): readonly number[] {
  const wanted = IS_FULL ? count : 7;
  return Array.from({ length: wanted }, (_, index) => 1 + Math.floor((index * count) / wanted));
}

function stagedIn(folder: string): string {
  const staging = readNames(join(folder, "agent")).find((name) => name.includes("staging"));
  return join(folder, "agent", staging ?? "", "skills");
}

/** The test creates homes below it. */
function ownTemporaryFolder(): string {
  const folder = temporaryFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  return folder;
}

function runSteps(what: "home" | "install", step: number, ...folders: readonly string[]) {
  return new Promise<{ signal: string | null; out: string }>((resolve) => {
    const args = [inThisFolder("install-steps.mjs"), what, String(step), ...folders];
    execFile(process.execPath, args, (error, out) => resolve({ signal: error?.signal ?? null, out }));
  });
}

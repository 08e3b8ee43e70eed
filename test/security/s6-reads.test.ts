import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, type Session, SkillError } from "../../packages/skillset/src/index.ts";
import { isWithin, readContained } from "../../packages/skillset/src/node/files/contained-read.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const SECRET = "the secret of the neighbours";
const OWN = "what the skill may show";
const SWAPPER = fileURLToPath(new URL("./swap-link.mjs", import.meta.url));
/** Maximum time for the control; most machines need a fraction of a second. */
const CONTROL_SECONDS = 20;

interface World {
  /** Contains the skills, and the secrets next to them. */
  readonly root: string;
  readonly skill: string;
  readonly session: Session;
}

async function world(): Promise<World> {
  const root = temporaryFolder({
    "secret.txt": SECRET,
    "skills/secret.txt": SECRET,
    "outside/a.md": SECRET,
    "outside/private.key": SECRET,
    "outside/deep/private.key": SECRET,
    "skills/victim/SKILL.md": skillMd("victim"),
    "skills/victim/references/a.md": OWN,
    "skills/victim/references/deep/er/b.md": OWN,
    "kept/a.md": OWN,
  });
  const skills = await createSkillset(join(root, "skills"));
  return { root, skill: join(root, "skills/victim"), session: await skills.session() };
}

describe("traversal", () => {
  /** Nonexistent paths, from the skill and from the folder above it, and the targets above it. */
  const detour = fc.constantFrom(".", "", "references/..", "x/..", "references/deep/../..", "../victim", "x/y/../..");
  const detourAbove = fc.constantFrom(".", "", "victim/..", "x/..", "../skills");
  const aim = fc.constantFrom("secret.txt", "../secret.txt", "../outside/a.md", "victim/../../outside/a.md");
  const steps = (step: fc.Arbitrary<string>) => fc.array(step, { maxLength: 4 });
  const climb = fc
    .tuple(steps(detour), steps(detourAbove), aim)
    .map(([before, after, last]) => ["references/..", ...before, "..", ...after, last].join("/"));
  const disguised = fc.constantFrom(
    "%2e%2e",
    "%2e%2e%2f..",
    "..%2f..",
    "%252e%252e",
    "..%5c..",
    "%c0%ae%c0%ae",
    "．．",
    "‥",
    "․․",
    "..∕..",
    "..／..",
    ". .",
    ".. ",
    "...",
    "....//",
    "..;",
    "&#46;&#46;",
    "\\u002e\\u002e",
    "..\u200b",
    "\u202e..",
  );
  const part = fc.constantFrom("references", "deep", ".", "", "a.md", "..", "victim", "skills", "\0", "~");
  const absolute = (root: string) =>
    fc.constantFrom(
      `${root}/secret.txt`,
      `/${root}/secret.txt`,
      `/proc/self/root${root}/secret.txt`,
      `/proc/self/cwd/../../../../../../../../..${root}/secret.txt`,
      `file://${root}/secret.txt`,
      `C:${root}/secret.txt`,
      `c:\\..\\..${root.replaceAll("/", "\\")}\\secret.txt`,
      `\\\\localhost\\c$${root.replaceAll("/", "\\")}\\secret.txt`,
      `\\\\?\\C:${root.replaceAll("/", "\\")}\\secret.txt`,
      `\\\\.\\${root}/secret.txt`,
      `//localhost${root}/secret.txt`,
      `~/../..${root}/secret.txt`,
      `$HOME/../..${root}/secret.txt`,
      "/etc/passwd",
    );
  const disguise = fc.constantFrom<(path: string) => string>(
    (path) => path,
    (path) => path,
    (path) => path.replaceAll("/", "\\"),
    (path) => path.replace("/", "\\"),
    (path) => path.replaceAll("/", "//"),
    (path) => `./${path}`,
    (path) => encodeURIComponent(path),
    (path) => `${path}\0.md`,
    (path) => `\0${path}`,
    (path) => `${path}/`,
    (path) => ` ${path}`,
    (path) => `${path} `,
    (path) => path.toUpperCase(),
    (path) => `${path}#a`,
    (path) => `${path}?a`,
    (path) => `${path}::$DATA`,
  );
  const traversal = (root: string) =>
    fc.oneof(
      { arbitrary: climb, weight: 3 },
      {
        arbitrary: fc
          .tuple(
            fc.oneof(
              climb,
              fc.tuple(steps(fc.oneof(part, disguised)), aim).map(([parts, last]) => [...parts, last].join("/")),
              fc.tuple(disguised, aim).map((parts) => parts.join("/")),
              absolute(root),
              fc.tuple(climb, absolute(root)).map((parts) => parts.join("/../")),
            ),
            disguise,
            disguise,
          )
          .map(([path, first, second]) => second(first(path))),
        weight: 5,
      },
    );

  test("never reads a file outside the skill, in any form", { timeout: 600_000 }, async () => {
    const { root, skill, session } = await world();
    const cases = Number(process.env.CASES ?? 1_000);
    const [through, escaped, codes] = [[] as string[], [] as string[], new Map<string, number>()];
    for (const path of different(traversal(root), cases)) {
      const content = await session
        .files("victim")
        .read(path)
        .then(
          (reading) => reading.content,
          (error: unknown) => {
            expect(error).toBeInstanceOf(SkillError);
            const { code, message } = error as SkillError;
            // A refusal may repeat the requested path, but contains nothing else about the machine.
            if (!path.includes(basename(root))) expect(message).not.toContain(root);
            codes.set(code, (codes.get(code) ?? 0) + 1);
            return "";
          },
        );
      // Only a path that leads back into the skill may be read.
      if (content !== "" && content !== OWN && !content.includes("# victim")) through.push(path);
      if (naiveRead(skill, path)) escaped.push(path);
    }
    report("S6", {
      tried: "different traversal strings",
      cases,
      through: through.length,
      control: `joining the paths escapes with ${escaped.length.toLocaleString("en")}`,
    });
    expect(through).toEqual([]);
    expect(escaped.length).toBeGreaterThan(cases / 4);
    expect(codes.get("resource-outside-skill")).toBeGreaterThan(cases / 3);
  });

  function different(strings: fc.Arbitrary<string>, size: number): ReadonlySet<string> {
    const found = new Set<string>();
    while (found.size < size) for (const one of fc.sample(strings, size - found.size)) found.add(one);
    return found;
  }

  function naiveRead(skill: string, path: string): boolean {
    try {
      return readFileSync(join(skill, path), "utf8") === SECRET;
    } catch {
      return false;
    }
  }
});

describe("links", () => {
  /** The link, its target, and the path to read. */
  const leaving: Readonly<Record<string, readonly [links: Readonly<Record<string, string>>, path: string]>> = {
    "to a file outside": [{ link: "../secret.txt" }, "link"],
    "to a file outside, absolute": [{ link: "ROOT/secret.txt" }, "link"],
    "to a folder outside": [{ link: "../../outside" }, "link/a.md"],
    "to a folder outside, absolute": [{ link: "ROOT/outside" }, "link/a.md"],
    "to the folder above": [{ up: ".." }, "up/secret.txt"],
    "to the root of the disk": [{ all: "/" }, "allROOT/secret.txt"],
    "in a folder of the skill": [{ "references/link": "../../secret.txt" }, "references/link"],
    "in a chain, with the last one leaving": [
      { one: "two", two: "references/three", "references/three": "../../secret.txt" },
      "one",
    ],
    "in a chain through folders": [{ one: "references", "references/two": "../up", up: ".." }, "one/two/secret.txt"],
    "to a folder whose name starts like the skill's": [{ link: "../victim-2" }, "link/a.md"],
    "through /proc": [{ link: "/proc/self/rootROOT/secret.txt" }, "link"],
    "to /etc/passwd": [{ link: "/etc/passwd" }, "link"],
  };

  test.each(Object.entries(leaving))("%s are refused", async (_, [links, path]) => {
    const { root, skill, session } = await world();
    symlinkSync(join(root, "outside"), join(root, "skills/victim-2"));
    const place = (text: string) => text.replace("ROOT", root);
    for (const [link, target] of Object.entries(links)) symlinkSync(place(target), join(skill, link));
    expect(readFileSync(join(skill, place(path)), "utf8")).toMatch(/secret of|root:/);
    const refusal = { code: "resource-outside-skill", message: expect.stringContaining("Access denied") };
    await expect(session.files("victim").read(place(path))).rejects.toMatchObject(refusal);
  });

  const staying: typeof leaving = {
    "to a file of the skill": [{ link: "references/a.md" }, "link"],
    "to a file of the skill, absolute": [{ link: "ROOT/skills/victim/references/a.md" }, "link"],
    "to a folder of the skill": [{ link: "references/deep" }, "link/er/b.md"],
    "in a chain that stays inside": [{ one: "two", two: "references/three", "references/three": "a.md" }, "one"],
    "that leave and come back": [{ link: "../victim/references/a.md" }, "link"],
  };

  test.each(Object.entries(staying))("%s are followed", async (_, [links, path]) => {
    const { root, skill, session } = await world();
    for (const [link, target] of Object.entries(links)) symlinkSync(target.replace("ROOT", root), join(skill, link));
    expect((await session.files("victim").read(path)).content).toBe(OWN);
  });

  test.each([
    ["to nothing", "none"],
    ["to themselves", "link"],
    ["to a device", "/dev/zero"],
    ["to a folder", "references"],
  ])("%s are an error, not a hang", async (_, target) => {
    const { skill, session } = await world();
    symlinkSync(target, join(skill, "link"));
    await expect(session.files("victim").read("link")).rejects.toBeInstanceOf(SkillError);
  });
});

describe("a list of files", () => {
  test.each([
    ["a folder", "../../outside", "link"],
    ["a folder above", "../..", "link/outside"],
    ["the root of the disk", "/", "link"],
  ])("follows no link to %s outside", async (_, target, directory) => {
    const { skill, session } = await world();
    symlinkSync(target, join(skill, "link"));
    const files = await session
      .files("victim")
      .list(directory)
      .catch(() => []);
    expect(files).toEqual([]);
    const all = (await session.files("victim").list()).map((file) => file.path);
    expect(all).toContain("references/a.md");
    expect(all.filter((path) => path.startsWith("link/"))).toEqual([]);
  });

  test.each(["..", "../..", "/", "/etc", "references/../..", "C:\\", "..\\.."])(
    "of %s is refused",
    async (directory) => {
      const { session } = await world();
      await expect(session.files("victim").list(directory)).rejects.toMatchObject({ code: "resource-outside-skill" });
    },
  );
});

describe("a path that is repeatedly swapped for a link,", () => {
  const cases = Number(process.env.CASES ?? 2_000);
  const races = {
    file: { swapped: "references/a.md", target: "secret.txt" },
    folder: { swapped: "references", target: "outside" },
  } as const;
  const path = "references/a.md";

  test.each(["file", "folder"] as const)(
    "as a %s never shows a reader content from outside",
    { timeout: 600_000 },
    async (what) => {
      const { root, skill, session } = await world();
      const swapper = await startSwapping(what, { root, skill });
      const seen = { secret: 0, own: 0, refused: 0, missing: 0 };
      const note = (content: string): void => {
        if (content.includes(SECRET)) seen.secret++;
        else if (content === OWN) seen.own++;
        else throw new Error(`unexpected content: ${content.slice(0, 100)}`);
      };
      const noteError = (error: unknown): void => {
        expect(error).toBeInstanceOf(SkillError);
        if ((error as SkillError).code === "resource-outside-skill") seen.refused++;
        else seen.missing++;
      };
      let escaped = 0;
      for (let done = 0; done < cases; done++) {
        try {
          note(new TextDecoder().decode(readContained(skill, path, { maxBytes: 1_000 })));
        } catch (error) {
          noteError(error);
        }
        await session
          .files("victim")
          .read(path)
          .then(({ content }) => note(content), noteError);
        if (naiveRead(skill, path) === SECRET) escaped++;
      }
      let tried = cases;
      // Without an escape of the naive check, the race did not happen, and the test proves nothing.
      for (const end = Date.now() + CONTROL_SECONDS * 1_000; escaped === 0 && Date.now() < end; tried++) {
        if (naiveRead(skill, path) === SECRET) escaped++;
      }
      report("S6", {
        tried: `reads of a ${what} that is swapped`,
        cases: 2 * cases,
        through: seen.secret,
        control: `checking the real path and then reading shows the secret in ${escaped.toLocaleString("en")} of ${tried.toLocaleString("en")} reads`,
        note: `${seen.own} reads returned the skill's content, ${seen.refused} were refused, ${seen.missing} found nothing`,
      });
      expect(swapper.exitCode).toBeNull();
      expect(seen.secret).toBe(0);
      expect(escaped).toBeGreaterThan(0);
      expect(seen.own).toBeGreaterThan(0);
      expect(seen.refused).toBeGreaterThan(0);
    },
  );

  test("as a folder never shows content from outside in a list", { timeout: 600_000 }, async () => {
    const { root, skill, session } = await world();
    const swapper = await startSwapping("folder", { root, skill });
    const seen = { outside: 0, own: 0, without: 0 };
    const end = Date.now() + CONTROL_SECONDS * 1_000;
    let done = 0;
    for (; done < cases || (seen.own === 0 && Date.now() < end); done++) {
      const files = await session
        .files("victim")
        .list()
        .catch(() => []);
      const paths = files.map((file) => file.path);
      if (paths.some((listed) => listed.endsWith("private.key"))) seen.outside++;
      else if (paths.includes(path)) seen.own++;
      else seen.without++;
    }
    report("S6", {
      tried: "lists of a folder that is swapped",
      cases: done,
      through: seen.outside,
      note: `${seen.own} with its files, ${seen.without} without`,
    });
    expect(swapper.exitCode).toBeNull();
    expect(seen.outside).toBe(0);
    expect(seen.own).toBeGreaterThan(0);
  });

  async function startSwapping(what: "file" | "folder", { root, skill }: Pick<World, "root" | "skill">) {
    const { swapped, target } = races[what];
    const real = join(root, what === "file" ? "kept/a.md" : "aside");
    const args = [what, join(skill, swapped), real, join(root, target), join(root, "scratch"), "600"];
    const swapper = spawn(process.execPath, [SWAPPER, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(async () => {
      const gone = once(swapper, "exit");
      if (swapper.exitCode === null && swapper.kill()) await gone;
    });
    await once(swapper.stdout, "data");
    return swapper;
  }

  function naiveRead(skill: string, relative: string): string {
    try {
      const full = join(skill, relative);
      return isWithin(skill, realpathSync(full)) ? readFileSync(full, "utf8") : "";
    } catch {
      // The path was missing for a moment.
      return "";
    }
  }
});

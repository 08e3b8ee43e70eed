import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import type { FolderSource } from "../../packages/skillset/src/node/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

type Build = (root: string) => unknown;

const fifo = (path: string) => execFileSync("mkfifo", [path]);
const socket = async (path: string) => {
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
};
const folder = (...parts: string[]) => mkdirSync(join(...parts), { recursive: true });
/** Creates a folder `x` whose SKILL.md is made by `make`. */
const inX = (make: (path: string, x: string) => unknown) => async (root: string) => {
  folder(root, "x");
  await make(join(root, "x/SKILL.md"), join(root, "x"));
};
const linkTo = (target: string) => inX((path) => symlinkSync(target, path));
const content = (bytes: string | Uint8Array) => inX((path) => writeFileSync(path, bytes));
/** Creates links from names to targets, with the folders around them. */
const links = (pairs: Readonly<Record<string, string>>) => (root: string) => {
  for (const path of Object.keys(pairs)) folder(root, dirname(path));
  for (const [path, target] of Object.entries(pairs)) symlinkSync(target, join(root, path));
};

/** Each creates something hostile next to the good skills `aaa` and `zzz`. */
const trees: Record<string, Build> = {
  "a SKILL.md that is a pipe": inX((path) => fifo(path)),
  "a SKILL.md that is a socket": inX((path) => socket(path)),
  "a SKILL.md that is a folder": inX((path) => folder(path)),
  "a SKILL.md that links to /dev/zero": linkTo("/dev/zero"),
  "a SKILL.md that links to /dev/random": linkTo("/dev/random"),
  "a SKILL.md that links to /dev/stdin": linkTo("/dev/stdin"),
  "a SKILL.md that links to /proc/self/mem": linkTo("/proc/self/mem"),
  "a SKILL.md that links to /etc/passwd": linkTo("/etc/passwd"),
  "a SKILL.md that links to a neighbour's": linkTo("../aaa/SKILL.md"),
  "a SKILL.md that links to itself": linkTo("SKILL.md"),
  "a SKILL.md that links to nothing": linkTo("none"),
  "a SKILL.md that links up and back in": linkTo("../x/../aaa/SKILL.md"),
  "a SKILL.md that links to a pipe in its folder": inX((path, x) => {
    fifo(join(x, "pipe"));
    symlinkSync("pipe", path);
  }),
  "a pipe beside the skills": (root) => fifo(join(root, "pipe")),
  "a socket beside the skills": (root) => socket(join(root, "socket")),
  "a link to itself": links({ loop: "loop" }),
  "two links that cross": links({ one: "two", two: "one" }),
  "a link to its own parent": links({ self: "." }),
  "a link to the root of the disk": links({ all: "/" }),
  "a link to /proc": links({ proc: "/proc" }),
  "a link to /dev": links({ dev: "/dev" }),
  "links that cross in nested folders": links({ "x/y/l": "../../z", "z/w/l": "../../x" }),
  "a nested link to the top": links({ "x/y/top": "../.." }),
  "a broken link": links({ broken: "/no/such/folder" }),
  "a link to a file": links({ file: "aaa/SKILL.md" }),
  "a chain of forty-five links": (root) => {
    folder(root, "end");
    links(
      Object.fromEntries(
        Array.from({ length: 45 }, (_, index) => [`l${index}`, index === 0 ? "end" : `l${index - 1}`]),
      ),
    )(root);
  },
  "3,000 folders without a skill": (root) => many(root, 3_000, "folder"),
  "3,000 nested folders without a skill": (root) => {
    folder(root, "m");
    many(join(root, "m"), 3_000, "folder");
  },
  "a folder 200 levels deep": (root) => folder(root, ...Array.from({ length: 200 }, () => "d")),
  "a SKILL.md of 22 MB": content(Buffer.alloc(22_000_000, 45)),
  "an empty SKILL.md": content(""),
  "a SKILL.md of NUL bytes": content(Buffer.alloc(5_000)),
  "a SKILL.md of random bytes": content(Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256))),
  "a SKILL.md that is one endless line": content(`---\nname: ${"a".repeat(900_000)}`),
  "a folder name with a line break": (root) => {
    folder(root, "x\ny");
    writeFileSync(join(root, "x\ny/SKILL.md"), "---\ndescription: d\n---\n");
  },
  "a folder name with a terminal escape": (root) => folder(root, "\u001b[31m"),
  "a folder name of 255 bytes": (root) => {
    folder(root, "n".repeat(255));
    writeFileSync(join(root, "n".repeat(255), "SKILL.md"), skillMd("n"));
  },
  "a node_modules with skills": (root) => {
    folder(root, "node_modules/x");
    writeFileSync(join(root, "node_modules/x/SKILL.md"), skillMd("x"));
  },
  "a .git with skills": (root) => {
    folder(root, ".git/x");
    writeFileSync(join(root, ".git/x/SKILL.md"), skillMd("x"));
  },
};

function many(root: string, count: number, kind: "file" | "folder"): void {
  for (let index = 0; index < count; index++) {
    if (kind === "file") writeFileSync(join(root, `m${index}`), "");
    else mkdirSync(join(root, `m${index}`));
  }
}

const TRIED = "trees of links, pipes, sockets, devices and many files";
let tried = 0;
/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 30_000;

async function findsTheGoodSkills(root: string): Promise<void> {
  const sources: FolderSource[] = [
    { path: root },
    { path: root, depth: 6 },
    { path: root, depth: 6, needsTrust: true, scope: "project" },
  ];
  for (const source of sources) {
    const skills = await createSkillset([source], { signal: AbortSignal.timeout(DEADLINE) });
    expect(skills.entries.map(({ name }) => name)).toEqual(expect.arrayContaining(["aaa", "zzz"]));
    expect(skills.entries.filter(({ name, status }) => name === "x" && status !== "invalid")).toEqual([]);
    expect(JSON.stringify(skills.skills)).not.toContain("root:x:0");
    tried++;
  }
}

const goodSkills = { "aaa/SKILL.md": skillMd("aaa"), "zzz/SKILL.md": skillMd("zzz") };

test.each(Object.entries(trees))("%s: the scan ends, and finds the good skills next to it", async (_, build) => {
  const root = temporaryFolder(goodSkills);
  await build(root);
  await findsTheGoodSkills(root);
});

test.each([
  ["a SKILL.md that is a pipe", "skill-md-not-a-file"],
  ["a SKILL.md that is a socket", "skill-md-not-a-file"],
  ["a SKILL.md that is a folder", "skill-md-not-a-file"],
  ["a SKILL.md that links to a pipe in its folder", "skill-md-not-a-file"],
  ["a SKILL.md that links to /etc/passwd", "link-outside"],
  ["3,000 folders without a skill", "scan-limit"],
  ["3,000 nested folders without a skill", "scan-limit"],
])("%s is reported as %s", async (name, code) => {
  const root = temporaryFolder(goodSkills);
  await trees[name]?.(root);
  const { problems } = await createSkillset([{ path: root, depth: 6 }]);
  expect(problems.map((problem) => problem.code)).toContain(code);
});

/** Creating the files takes far longer than scanning them. */
const FILES = Math.max(1_000, Math.min(Number(process.env.CASES ?? 10_000), 100_000));
test(`${FILES} files next to the skills: the scan ends, and finds the skills`, { timeout: 240_000 }, async () => {
  const root = temporaryFolder(goodSkills);
  many(root, FILES, "file");
  await findsTheGoodSkills(root);
});

afterAll(() =>
  report("S5", {
    tried: TRIED,
    cases: tried,
    through: 0,
    note: `${Object.keys(trees).length + 1} trees, each scanned in three ways`,
  }),
);

test("a naive scan hangs on links that cross", { timeout: DEADLINE }, () => {
  const root = temporaryFolder();
  links({ "x/y/l": "../../z", "z/w/l": "../../x" })(root);
  const naive = `const fs = require("node:fs"); let n = 0;
    const walk = (d) => { for (const e of fs.readdirSync(d)) { if (++n > 100000) process.exit(7); const p = d + "/" + e; if (fs.statSync(p).isDirectory()) walk(p); } };
    try { walk(${JSON.stringify(root)}); } catch { process.exit(7); }`;
  expect(() => execFileSync(process.execPath, ["-e", naive], { stdio: "ignore" })).toThrow(
    expect.objectContaining({ status: 7 }),
  );
  report("S5", { tried: TRIED, cases: 1, through: 0, control: "following links without a limit does not end" });
});

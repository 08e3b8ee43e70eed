import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Problem, ProblemCode } from "../../packages/skillset/src/core/base/problem.ts";
import { isStored } from "../../packages/skillset/src/core/skill/skill.ts";
import type { SourceEntry } from "../../packages/skillset/src/core/source/source.ts";
import { importSkills } from "../../packages/skillset/src/mcp/import/import-skills.ts";
import { createSkillsServer } from "../../packages/skillset/src/mcp/server/skills-server.ts";
import { lintSkill } from "../../packages/skillset/src/node/lint/lint.ts";
import { lintToolsets } from "../../packages/skillset/src/node/lint/lint-toolsets.ts";
import { lintTriggers } from "../../packages/skillset/src/node/lint/lint-triggers.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { TrustStore } from "../../packages/skillset/src/node/trust/trust.ts";
import { bubblewrap } from "../../packages/skillset/src/scripts/runners/bubblewrap.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { HINT_ROWS, type HintRow } from "./hint-rows.ts";

async function problemsIn(files: HintRow["broken"], policy: HintRow["policy"]): Promise<readonly Problem[]> {
  const root = temporaryFolder(typeof files === "string" ? { "a/SKILL.md": files } : files);
  const { problems, skills } = await createSkillset([root], { policy: policy ?? "lenient" });
  const stored = skills.filter(isStored);
  const places = stored.map(({ basePath, name }) => ({ folder: basePath, name }));
  const modules = stored.flatMap(({ basePath, name, toolsets }) => lintToolsets({ folder: basePath, name }, toolsets));
  const triggers = await Promise.all(places.map(lintTriggers));
  return [...problems, ...places.flatMap(lintSkill), ...triggers.flat(), ...modules];
}

function fixesOf(code: ProblemCode, problems: readonly Problem[]): (string | undefined)[] {
  return problems.filter((problem) => problem.code === code).map(({ fix }) => fix);
}

/** Whether the file system enforces permissions; it does not for root. */
const hasPermissions = process.getuid?.() !== 0;

/** Problems that files alone cannot show, before and after their fix. */
interface Scene {
  readonly code: ProblemCode;
  readonly fix: string;
  readonly isSkipped?: boolean;
  show(isRepaired: boolean): Promise<readonly Problem[]>;
}

const SCENES: readonly Scene[] = [
  {
    code: "skill-md-unreadable",
    fix: "Check the file's permissions.",
    isSkipped: !hasPermissions,
    async show(isRepaired) {
      const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
      chmodSync(join(root, "a/SKILL.md"), isRepaired ? 0o644 : 0);
      return (await createSkillset([root])).problems;
    },
  },
  {
    code: "link-outside",
    fix: "Copy the file, or link the whole folder instead.",
    async show(isRepaired) {
      const root = temporaryFolder({
        "real/a/SKILL.md": skillMd("a"),
        "skills/b/SKILL.md": skillMd("b"),
        "skills/a/x": "",
      });
      if (isRepaired) rmSync(join(root, "skills/a"), { recursive: true });
      symlinkSync(
        isRepaired ? "../real/a" : "../../real/a/SKILL.md",
        join(root, isRepaired ? "skills/a" : "skills/a/SKILL.md"),
      );
      return (await createSkillset([join(root, "skills")])).problems;
    },
  },
  {
    code: "link-broken",
    fix: "Remove the link.",
    async show(isRepaired) {
      const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
      if (!isRepaired) symlinkSync("nowhere", join(root, "b"));
      return (await createSkillset([root])).problems;
    },
  },
  {
    code: "source-missing",
    fix: "Create the folder, or remove it from the sources.",
    async show(isRepaired) {
      const root = temporaryFolder(isRepaired ? { "skills/a/SKILL.md": skillMd("a") } : {});
      return (await createSkillset([{ path: join(root, "skills"), optional: true }])).problems;
    },
  },
  {
    code: "source-unreadable",
    fix: "Check the folder's permissions.",
    isSkipped: !hasPermissions,
    async show(isRepaired) {
      const root = temporaryFolder({ "skills/a/SKILL.md": skillMd("a") });
      const skills = join(root, "skills");
      chmodSync(skills, isRepaired ? 0o755 : 0o300);
      onTestFinished(() => chmodSync(skills, 0o755));
      return (await createSkillset([{ path: skills, optional: true }])).problems;
    },
  },
  {
    code: "source-kept",
    fix: "Make the source readable again, or load the skills without it.",
    async show(isRepaired) {
      const root = temporaryFolder({ "skills/a/SKILL.md": skillMd("a") });
      const skills = await createSkillset([join(root, "skills")]);
      renameSync(join(root, "skills"), join(root, "away"));
      const broken = (await skills.reload()).skillset;
      if (!isRepaired) return broken.problems;
      renameSync(join(root, "away"), join(root, "skills"));
      return (await broken.reload()).skillset.problems;
    },
  },
  {
    code: "scan-limit",
    fix: "Pass the folders of the skills themselves.",
    async show(isRepaired) {
      const root = temporaryFolder({ "1/2/3/4/5/6/7/a/SKILL.md": skillMd("a") });
      return (await createSkillset([join(root, isRepaired ? "1/2/3/4/5/6/7" : ".")], { recursive: true })).problems;
    },
  },
  {
    code: "skills-not-read",
    fix: "Move them out of its folder, or add their folders as sources.",
    async show(isRepaired) {
      const root = temporaryFolder({
        "a/SKILL.md": skillMd("a"),
        [isRepaired ? "b/SKILL.md" : "a/b/SKILL.md"]: skillMd("b"),
      });
      return (await createSkillset([root], { recursive: true })).problems;
    },
  },
  {
    code: "skill-shadowed",
    fix: "Rename one of them, or change the order of the sources.",
    async show(isRepaired) {
      const other = isRepaired ? "b" : "a";
      const root = temporaryFolder({ "x/a/SKILL.md": skillMd("a"), [`y/${other}/SKILL.md`]: skillMd(other) });
      return (await createSkillset([join(root, "x"), join(root, "y")])).problems;
    },
  },
  {
    code: "skill-locked",
    fix: "Review the skill, then run 'skillset trust'.",
    async show(isRepaired) {
      const root = temporaryFolder({ "skills/a/SKILL.md": skillMd("a") });
      const trustStore = new TrustStore(join(root, "trust.json"));
      if (isRepaired) trustStore.trust([join(root, "skills/a")]);
      return (await createSkillset([{ path: join(root, "skills"), scope: "project" }], { trustStore })).problems;
    },
  },
  {
    code: "skill-limit",
    fix: "Raise maxSkills, or disable skills that are not needed.",
    async show(isRepaired) {
      const root = temporaryFolder({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b") });
      return (await createSkillset([root], { maxSkills: isRepaired ? 2 : 1 })).problems;
    },
  },
  {
    code: "requirement-unmet",
    fix: "Add the skill 'b'.",
    async show(isRepaired) {
      const root = temporaryFolder({
        "a/SKILL.md": "---\nname: a\ndescription: Does a.\nmetadata:\n  requires-skills: b\n---\n",
        ...(isRepaired && { "b/SKILL.md": skillMd("b") }),
      });
      return (await createSkillset([root])).problems;
    },
  },
  {
    code: "pattern-unmatched",
    fix: "Correct the name, or remove it.",
    async show(isRepaired) {
      const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
      return (await createSkillset([root], { disabled: isRepaired ? [] : ["aa"] })).problems;
    },
  },
  {
    code: "profile-widens",
    fix: "Remove it, or allow it in your own file '/config/skillset.json'.",
    show: limited,
  },
  {
    code: "skill-not-published",
    fix: "Fix the problems that 'skillset validate --strict' reports.",
    show: (isRepaired) =>
      published({ [isRepaired ? "a/SKILL.md" : "A_b/SKILL.md"]: skillMd(isRepaired ? "a" : "A_b") }),
  },
  {
    code: "skill-not-published",
    fix: "Remove files that the skill does not need, or split it.",
    show: (isRepaired) =>
      published({
        "a/SKILL.md": skillMd("a"),
        ...Object.fromEntries(Array.from({ length: isRepaired ? 5 : 600 }, (_, index) => [`a/${index}.txt`, ""])),
      }),
  },
  {
    code: "skill-not-imported",
    fix: "Ask the server's maintainer to correct the entry.",
    async show(isRepaired) {
      const { client } = await connect({ "a/SKILL.md": skillMd("a") }, (message) =>
        isRepaired ? message : message.replace("Does a.", "x".repeat(2_000)),
      );
      return (await importSkills(client, { server: "acme", approve: () => true })).problems;
    },
  },
  {
    code: "skill-not-imported",
    fix: "Fix the source's implementation.",
    show: (isRepaired) => listed({ folder: isRepaired ? "a" : "../a", skillMd: skillMd("a") }),
  },
  {
    code: "file-refused",
    fix: "Fix the source's implementation.",
    show: (isRepaired) =>
      listed({ folder: "a", skillMd: skillMd("a"), files: [{ path: isRepaired ? "b.md" : "../b.md", size: 1 }] }),
  },
  {
    code: "skill-too-large",
    fix: "Remove files that the skill does not need, or split it.",
    show: (isRepaired) => {
      const files = Array.from({ length: isRepaired ? 5 : 2_001 }, (_, index) => ({ path: `${index}.md`, size: 1 }));
      return listed({ folder: "a", skillMd: skillMd("a"), files });
    },
  },
  {
    code: "source-unreadable",
    fix: "Make the source readable, then reload.",
    async show(isRepaired) {
      let isBroken = true;
      const list = async () => (isBroken ? Promise.reject(new Error("Offline.")) : []);
      const skills = await createSkillset({ name: "registry", list, read: async () => undefined });
      isBroken = !isRepaired;
      return (await skills.reload()).skillset.problems;
    },
  },
  {
    code: "embedding-failed",
    fix: "Check the model of the option 'embedding', or increase its 'timeout'.",
    async show(isRepaired) {
      const problems: Problem[] = [];
      const embedding = async (texts: string[]) => texts.map(() => (isRepaired ? [1, 0] : []));
      const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
      const skills = await createSkillset([root], { embedding, onProblem: (problem) => problems.push(problem) });
      await skills.rank("a");
      return problems;
    },
  },
  {
    code: "scripts-disabled",
    fix: "Install the package bubblewrap (Linux).",
    isSkipped: !bubblewrap().isInstalled,
    async show(isRepaired) {
      const load = () => createSkillset([temporaryFolder()], { scripts: { minimum: "bubblewrap" } });
      return (await (isRepaired ? load() : withPath(temporaryFolder(), load))).problems;
    },
  },
  {
    code: "sandbox-broken",
    fix: "Repair the sandbox, or name the runner that scripts should use.",
    isSkipped: !bubblewrap().isInstalled,
    async show(isRepaired) {
      const folder = temporaryFolder({ bwrap: "#!/bin/sh\necho 'bwrap: No permissions' >&2; exit 1\n" });
      chmodSync(join(folder, "bwrap"), 0o755);
      const load = () => createSkillset([temporaryFolder()], { scripts: {} });
      return (await (isRepaired ? load() : withPath(`${folder}:${process.env.PATH}`, load))).problems;
    },
  },
];

/** Does something with another PATH. */
async function withPath<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  vi.stubEnv("PATH", path);
  try {
    return await work();
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Returns the problems of a project whose profile has a limit, for a user whose own limit is lower. */
async function limited(isRepaired: boolean): Promise<readonly Problem[]> {
  const profiles = (maxSkills: number) => JSON.stringify({ profiles: { x: { maxSkills } }, defaultProfile: "x" });
  const root = temporaryFolder({
    "config/skillset.json": profiles(5),
    "project/skillset.json": isRepaired ? "{}" : profiles(9),
    "project/skills/a/SKILL.md": skillMd("a"),
  });
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(root, "config"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { problems } = await createSkillset("skills", { cwd: join(root, "project"), profile: true });
  return problems.map((problem) => ({ ...problem, fix: problem.fix?.replace(root, "") ?? "" }));
}

/** Returns the problems of a source with this skill. */
async function listed(entry: SourceEntry): Promise<readonly Problem[]> {
  return (await createSkillset({ name: "registry", list: async () => [entry], read: async () => "x" })).problems;
}

async function published(files: Readonly<Record<string, string>>): Promise<readonly Problem[]> {
  const { client, server } = await connect(files);
  await importSkills(client, { server: "acme", approve: () => true });
  return server.problems;
}

/** Returns a client of a skills server, with a hook that changes the server's messages. */
async function connect(files: Readonly<Record<string, string>>, change = (message: string) => message) {
  const server = createSkillsServer(await createSkillset([temporaryFolder(files)]));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = far.send.bind(far);
  far.send = (message, options) => send(JSON.parse(change(JSON.stringify(message))), options);
  await server.connect(far);
  const client = new Client({ name: "host", version: "1" });
  await client.connect(near);
  onTestFinished(() => server.close());
  return { client, server };
}

describe("following a problem's fix removes the problem", () => {
  test.each(HINT_ROWS.map((row, index) => [`${index} ${row.code}: ${row.fix}`, row] as const))("%s", async (_, row) => {
    const { code, broken, fix, repaired, policy } = row;
    expect(fixesOf(code, await problemsIn(broken, policy))).toContain(fix);
    const left = await problemsIn(repaired, policy);
    expect(fixesOf(code, left)).toEqual([]);
    expect(left.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test.each(SCENES.map((scene) => [`${scene.code}: ${scene.fix}`, scene] as const))("%s", async (_, scene) => {
    if (scene.isSkipped) return;
    expect(fixesOf(scene.code, await scene.show(false))).toContain(scene.fix);
    expect(fixesOf(scene.code, await scene.show(true))).toEqual([]);
  });
});

test("every problem code has a row here and a line in docs/problems.md", () => {
  const file = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const source =
    file("../../packages/skillset/src/core/base/problem.ts").split("export type FrontmatterProblemCode")[1] ?? "";
  const codes = [...source.matchAll(/"([a-z0-9-]+)"/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(50);
  const shown = new Set<string>([...HINT_ROWS, ...SCENES].map(({ code }) => code));
  expect(codes.filter((code) => !shown.has(code))).toEqual([]);
  const documented = file("../../docs/problems.md");
  expect(codes.filter((code) => !documented.includes(`\`${code}\``))).toEqual([]);
});

test("one mistake in a line is one problem", async () => {
  const codes = async (text: string) => (await problemsIn(text, undefined)).map(({ code }) => code);
  expect(await codes("---\nname: a\n\tdescription: Does a thing.\n---\nDo it.\n")).toEqual(["frontmatter-repaired"]);
  expect(await codes("---\nname: a\n\tdescription: >\n\t  Does\n\t  it.\n---\nDo it.\n")).toEqual([
    "frontmatter-repaired",
  ]);
  expect(await codes("---\n\tname: a\n\tdescription: Does.\n---\nDo it.\n")).toEqual(
    Array(2).fill("frontmatter-repaired"),
  );
});

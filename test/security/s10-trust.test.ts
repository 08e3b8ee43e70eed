import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSkillset, standardFolders } from "../../packages/skillset/src/index.ts";
import { TrustStore } from "../../packages/skillset/src/node/index.ts";
import { digestFolder, stampFolder } from "../../packages/skillset/src/node/skill-folder/folder-digest.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { report } from "./report.ts";

type World = { root: string; folder: string; store: TrustStore };
type Row = {
  readonly title: string;
  readonly act: (world: World) => void;
  readonly project: "locked" | "enabled" | "invalid" | "gone";
  readonly offered: "project" | "user";
};

const trust = ({ store, folder }: World) => store.trust([folder]);
const write =
  (path: string, content: string) =>
  ({ folder }: World) =>
    writeFiles(folder, { [path]: content });
const both =
  (...acts: ((world: World) => void)[]) =>
  (world: World) => {
    for (const act of acts) act(world);
  };

const forge =
  (make: (folder: string) => { version: number; record: object }) =>
  ({ store, folder }: World) => {
    const { version, record } = make(folder);
    writeFileSync(store.path, JSON.stringify({ version, skills: { [folder]: record } }));
  };

const rows: Row[] = [
  { title: "never trusted", act: () => {}, project: "locked", offered: "user" },
  { title: "trusted", act: trust, project: "enabled", offered: "project" },
  {
    title: "trusted, then its instructions changed",
    act: both(trust, write("SKILL.md", skillMd("a", "Project.", "Evil."))),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then its description changed",
    act: both(trust, write("SKILL.md", skillMd("a", "Evil."))),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then a script changed",
    act: both(trust, write("scripts/s.sh", "evil")),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then a file added",
    act: both(trust, write("scripts/new.sh", "evil")),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then a file removed",
    act: both(trust, ({ folder }) => rmSync(join(folder, "scripts/s.sh"))),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then a link added",
    act: both(trust, ({ folder }) => symlinkSync("/etc/passwd", join(folder, "scripts/link"))),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, changed, and changed back",
    act: both(trust, write("scripts/s.sh", "evil"), write("scripts/s.sh", "good")),
    project: "enabled",
    offered: "project",
  },
  {
    title: "trusted, changed, and trusted again",
    act: both(trust, write("scripts/s.sh", "better"), trust),
    project: "enabled",
    offered: "project",
  },
  {
    title: "trusted, then revoked",
    act: both(trust, ({ store, root }) => void store.revoke(join(root, "repo"))),
    project: "locked",
    offered: "user",
  },
  {
    title: "trusted, then broken",
    act: both(trust, write("SKILL.md", "---\nname: a\n---\n")),
    project: "invalid",
    offered: "user",
  },
  {
    title: "trusted, then removed",
    act: both(trust, ({ folder }) => rmSync(folder, { recursive: true })),
    project: "gone",
    offered: "user",
  },
  {
    title: "trusted under another path",
    act: ({ store, root }) => {
      writeFiles(root, { "copy/SKILL.md": skillMd("a", "Project.") });
      store.trust([join(root, "copy")]);
    },
    project: "locked",
    offered: "user",
  },
  {
    title: "with a damaged trust store",
    act: both(trust, ({ store }) => writeFileSync(store.path, "?")),
    project: "locked",
    offered: "user",
  },
  {
    title: "with a record of other content",
    act: forge(() => ({ version: 2, record: { files: { "SKILL.md": "sha256:0" }, stamp: "0" } })),
    project: "locked",
    offered: "user",
  },
  {
    title: "with a record of other content and the folder's stamp",
    act: forge((folder) => ({ version: 2, record: { files: { "SKILL.md": "sha256:0" }, stamp: stampFolder(folder) } })),
    project: "locked",
    offered: "user",
  },
  {
    title: "with a record that has no digest for each file",
    act: forge((folder) => ({ version: 2, record: { digest: digestFolder(folder), stamp: stampFolder(folder) } })),
    project: "locked",
    offered: "user",
  },
];

test.each(rows)(
  "a project skill $title is $project, and the $offered skill is listed",
  async ({ act, project, offered }) => {
    const root = temporaryFolder({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/a/SKILL.md": skillMd("a", "Project."),
      "repo/.agents/skills/a/scripts/s.sh": "good",
      "home/.agents/skills/a/SKILL.md": skillMd("a", "User."),
    });
    const world = {
      root,
      folder: join(root, "repo/.agents/skills/a"),
      store: new TrustStore(join(root, "trust.json")),
    };
    act(world);
    const skills = await createSkillset(
      standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: false }),
      {
        trustStore: world.store,
      },
    );
    const entry = skills.entries.find(
      (candidate) =>
        ("skill" in candidate ? candidate.skill.origin : candidate.origin).kind === "folder" &&
        JSON.stringify(candidate).includes(world.folder),
    );
    expect(entry?.status ?? "gone").toBe(project);
    expect(skills.get("a")?.description).toBe(offered === "project" ? "Project." : "User.");
    if (project === "locked") {
      expect(skills.catalog().text).not.toContain("Project.");
      expect(skills.problems).toContainEqual(expect.objectContaining({ code: "skill-locked", path: world.folder }));
    }
    // Naive: the same folder as an ordinary source lists all of its content.
    const naive = await createSkillset([{ path: join(root, "repo/.agents/skills"), optional: true }]);
    if (project === "locked") expect(naive.has("a")).toBe(true);
    report("S10", {
      tried: "states of a project's skill",
      cases: 1,
      through: 0,
      ...(project === "locked" && { control: "without trust the skill is listed" }),
    });
  },
);

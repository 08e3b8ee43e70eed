import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { TrustStore } from "../trust/trust.ts";
import { createSkillset } from "./create-skillset.ts";
import { optionalFolders, PROJECT_FOLDERS, resolvePath, standardFolders } from "./sources.ts";

describe("standardFolders()", () => {
  test("lists project folders nearest first up to the git root, then the user's, and the bundled ones on request", () => {
    const root = temporaryFolder({ "repo/.git/HEAD": "", "repo/sub/deep/x": "" });
    const places = { cwd: join(root, "repo/sub/deep"), home: join(root, "home") };
    const paths = (bundled?: boolean) =>
      standardFolders({ ...places, bundled }).map(({ path, scope }) => `${scope} ${path.replace(root, "")}`);
    const inProject = [".agents/skills", ".claude/skills", ".agent/skills", "skills", ".skills"];
    expect(paths()).toEqual([
      ...inProject.map((name) => `project /repo/sub/deep/${name}`),
      ...inProject.map((name) => `project /repo/sub/${name}`),
      ...inProject.map((name) => `project /repo/${name}`),
      "user /home/.agents/skills",
      "user /home/.claude/skills",
      "user /home/.agent/skills",
      "user /home/.skillset/skills",
    ]);
    expect(paths(true).slice(0, -1)).toEqual(paths());
    expect(paths(true).at(-1)).toMatch(/^bundled .*skills$/);
  });

  test("looks only into the working directory outside a repository", () => {
    const root = temporaryFolder({ "a/b/x": "" });
    const project = standardFolders({ cwd: join(root, "a/b"), home: "/home/x" }).filter(
      ({ scope }) => scope === "project",
    );
    expect(project.map(({ path }) => path)).toEqual(PROJECT_FOLDERS.map((name) => join(root, "a/b", name)));
  });

  test("never treats the user's home as a project", () => {
    const root = temporaryFolder({ ".git/HEAD": "", "work/x": "" });
    expect(
      standardFolders({ cwd: join(root, "work"), home: root }).filter(
        ({ path, scope }) => scope === "project" && !path.includes("/work/"),
      ),
    ).toEqual([]);
  });

  test("a trusted project skill wins over the user's, and the user's over a bundled one", async () => {
    const root = temporaryFolder({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/a/SKILL.md": skillMd("a", "Project."),
      "home/.agents/skills/a/SKILL.md": skillMd("a", "User."),
      "home/.claude/skills/a/SKILL.md": skillMd("a", "User, other folder."),
      "home/.agents/skills/code-review/SKILL.md": skillMd("code-review", "The user's own."),
    });
    const trustStore = new TrustStore(join(root, "trust.json"));
    trustStore.trust([join(root, "repo/.agents/skills/a")]);
    const skills = await createSkillset(
      standardFolders({ cwd: join(root, "repo"), home: join(root, "home"), bundled: true }),
      {
        trustStore,
      },
    );
    expect(skills.get("a")?.description).toBe("Project.");
    expect(skills.get("code-review")?.description).toBe("The user's own.");
    expect(skills.collisions.map(({ name, losers }) => [name, losers.length])).toEqual([
      ["a", 2],
      ["code-review", 1],
    ]);
  });

  test("lists each skill once if one standard folder is a link to another", async () => {
    const root = temporaryFolder({
      "repo/.git/HEAD": "",
      "repo/skills/a/SKILL.md": skillMd("a"),
      "repo/skills/broken/SKILL.md": "---\nname: broken\n---\n",
      "home/.agents/skills/b/SKILL.md": skillMd("b"),
      "home/.agents/skills/wrong/SKILL.md": "---\nname: wrong\n---\n",
      "home/.claude/x": "",
    });
    mkdirSync(join(root, "repo/.agents"));
    symlinkSync("../skills", join(root, "repo/.agents/skills"));
    symlinkSync("../.agents/skills", join(root, "home/.claude/skills"));
    const trustStore = new TrustStore(join(root, "trust.json"));
    const options = { trustStore, onProblem: () => {} };
    const skills = await createSkillset(
      standardFolders({ cwd: join(root, "repo"), home: join(root, "home") }),
      options,
    );
    const found = ({ entries, problems }: typeof skills) => [
      entries.map(({ name, status }) => `${name} ${status}`),
      problems.filter(({ severity }) => severity !== "info").map(({ code, skill }) => `${skill} ${code}`),
    ];
    const problems = ["broken description-missing", "a skill-locked", "wrong description-missing"];
    const first = [["a locked", "broken invalid", "b enabled", "wrong invalid"], problems];
    expect(found(skills)).toEqual(first);
    expect(found((await skills.reload()).skillset)).toEqual(first);
    trustStore.trust([join(root, "repo/skills/a")]);
    expect((await skills.reload()).skillset.names).toEqual(["a", "b"]);
  });

  test("a link that leaves its project hides no standard folder that it points to", async () => {
    const root = temporaryFolder({
      "repo/.git/HEAD": "",
      "repo/skills/a/SKILL.md": skillMd("a"),
      "repo/sub/.agents/x": "",
    });
    symlinkSync("../../skills", join(root, "repo/sub/.agents/skills"));
    const { entries } = await createSkillset(
      standardFolders({ cwd: join(root, "repo/sub"), home: join(root, "home") }),
      {
        trustStore: new TrustStore(join(root, "trust.json")),
        onProblem: () => {},
      },
    );
    expect(entries.map(({ name, status }) => `${name} ${status}`)).toEqual(["a locked"]);
  });

  test("a missing folder is recorded, but causes no warning", async () => {
    const root = temporaryFolder();
    const { problems } = await createSkillset(standardFolders({ cwd: root, home: root, bundled: false }));
    expect(problems.every(({ severity }) => severity === "info")).toBe(true);
  });
});

describe("optionalFolders()", () => {
  test("has no default", () => {
    expect(() => optionalFolders(undefined as unknown as string[])).toThrow("takes a list of paths, not undefined.");
  });

  test("accepts absolute, relative and home paths", () => {
    const paths = ["~/x", "./x", "/x"];
    expect(optionalFolders(paths)).toEqual(paths.map((path) => ({ path, optional: true })));
    expect(resolvePath("~/x", "/cwd")).toBe(join(homedir(), "x"));
    expect(resolvePath("./x", "/cwd")).toBe("/cwd/x");
    expect(resolvePath("/x", "/cwd")).toBe("/x");
  });

  test("a missing folder is skipped with one warning, also when it is listed twice", async () => {
    const root = temporaryFolder({ ".skills/a/SKILL.md": skillMd("a") });
    mkdirSync(join(root, "empty"));
    const skills = await createSkillset(optionalFolders(["./.skills", "./none", "./empty", "./none"]), { cwd: root });
    expect(skills.names).toEqual(["a"]);
    expect(skills.problems.map(({ code }) => code)).toEqual(["source-missing", "source-empty"]);
  });
});

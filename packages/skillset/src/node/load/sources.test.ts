import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { TrustStore } from "../trust/trust.ts";
import { createSkillset } from "./create-skillset.ts";
import { DEFAULT_FOLDERS, optionalFolders, resolvePath, standardFolders } from "./sources.ts";

describe("standardFolders()", () => {
  test("lists project folders nearest first up to the git root, then the user's, and the bundled ones on request", () => {
    const root = temporaryFolder({ "repo/.git/HEAD": "", "repo/sub/deep/x": "" });
    const places = { cwd: join(root, "repo/sub/deep"), home: join(root, "home") };
    const paths = (bundled?: boolean) =>
      standardFolders({ ...places, bundled }).map(({ path, scope }) => `${scope} ${path.replace(root, "")}`);
    expect(paths()).toEqual([
      "project /repo/sub/deep/.agents/skills",
      "project /repo/sub/deep/.claude/skills",
      "project /repo/sub/deep/.agent/skills",
      "project /repo/sub/.agents/skills",
      "project /repo/sub/.claude/skills",
      "project /repo/sub/.agent/skills",
      "project /repo/.agents/skills",
      "project /repo/.claude/skills",
      "project /repo/.agent/skills",
      "user /home/.agents/skills",
      "user /home/.claude/skills",
      "user /home/.agent/skills",
    ]);
    expect(paths(true).slice(0, 12)).toEqual(paths());
    expect(paths(true).slice(12)).toEqual([expect.stringMatching(/^bundled .*skills$/)]);
  });

  test("looks only into the working directory outside a repository", () => {
    const root = temporaryFolder({ "a/b/x": "" });
    const project = standardFolders({ cwd: join(root, "a/b"), home: "/home/x" }).filter(
      ({ scope }) => scope === "project",
    );
    expect(project.map(({ path }) => path)).toEqual(
      [".agents", ".claude", ".agent"].map((name) => join(root, "a/b", name, "skills")),
    );
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

  test("a missing folder is recorded, but causes no warning", async () => {
    const root = temporaryFolder();
    const { problems } = await createSkillset(standardFolders({ cwd: root, home: root, bundled: false }));
    expect(problems.every(({ severity }) => severity === "info")).toBe(true);
  });
});

describe("optionalFolders()", () => {
  test("returns the default folders, and accepts absolute, relative and home paths", () => {
    expect(optionalFolders().map(({ path }) => path)).toEqual([...DEFAULT_FOLDERS]);
    expect(DEFAULT_FOLDERS).toEqual(["./.skills", "./.agents/skills", "~/.agents/skills", "~/.skillset/skills"]);
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

import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { standardFolders } from "skillset";
import { TrustStore } from "skillset/node";
import { afterEach, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat, type TestChat, TOKEN } from "../testing/open-chat.ts";
import { skillFolders } from "./skill-folders.ts";

afterEach(emptyDatabase);

const ADMIN = { authorization: `Bearer ${TOKEN}` };
const FILES = {
  ".git/HEAD": "",
  ".agents/skills/tea/SKILL.md": skillMd("tea", "Of the root."),
  "a/.agents/skills/tea/SKILL.md": skillMd("tea", "Of a."),
  "a/.agents/skills/jam/SKILL.md": skillMd("jam", "Of a."),
  "a/b/.agents/skills/tea/SKILL.md": skillMd("tea", "Of b."),
};
const settings = (more: string, directories = "./.agents/skills") =>
  `[app.skills]\nenabled = true\ndirectories = ["${directories}"]\n${more}\n`;

test("the folders of the project come first, nearest first, then those in the settings", () => {
  const outer = temporaryFolder({ ".agents/skills/.keep": "", "project/.git/HEAD": "", "project/a/b/.keep": "" });
  const projectRoot = `${outer}/project`;
  const startFolder = `${projectRoot}/a/b`;
  const pathsOf = (directories: readonly string[], parentFolders: boolean) =>
    skillFolders({ config: { directories, parentFolders }, projectRoot, startFolder }).map(({ path }) => path);
  const standard = standardFolders({ cwd: startFolder });
  const ofProject = standard.filter(({ scope }) => scope === "project").map(({ path }) => path);
  const ofUser = standard.filter(({ scope }) => scope === "user").map(({ path }) => path);
  expect(pathsOf(["./more"], true)).toEqual([...ofProject, `${projectRoot}/more`]);
  // A folder that the settings name keeps its place.
  const named = `${projectRoot}/.agents/skills`;
  expect(pathsOf(["./.agents/skills", "~/more"], true)).toEqual([
    ...ofProject.filter((path) => path !== named),
    named,
    `${homedir()}/more`,
  ]);
  expect(pathsOf(["./.agents/skills"], false)).toEqual([named]);
  // Without names, those of the library.
  expect(pathsOf([], false)).toEqual([...ofProject, ...ofUser]);
});

test("a folder that is a link to another one is scanned once", () => {
  const projectRoot = temporaryFolder({ ".git/HEAD": "", ".agents/skills/.keep": "", ".claude/.keep": "" });
  symlinkSync("../.agents/skills", `${projectRoot}/.claude/skills`);
  const config = { directories: ["./.agents/skills"], parentFolders: true };
  const paths = skillFolders({ config, projectRoot, startFolder: projectRoot }).map(({ path }) => path);
  expect(paths).toContain(`${projectRoot}/.agents/skills`);
  expect(paths).not.toContain(`${projectRoot}/.claude/skills`);
});

test.each(["skills", ".skills", ".agents/skills", ".claude/skills"])(
  "without folders in the settings, the skills in '%s' of the project are locked until they are trusted, as in the library",
  async (place) => {
    const project = temporaryFolder({ ".git/HEAD": "", [`${place}/tea/SKILL.md`]: skillMd("tea") });
    const config = "[app.skills]\nenabled = true\n";
    const stateOf = async (one: TestChat) => (await one.get<SkillsView>("/api/skills", ADMIN)).rows[0]?.state;
    const chat = await openChat({ project, config, startFolder: project });
    expect(await stateOf(chat)).toBe("locked");
    const { problems } = await chat.get<SkillsView>("/api/skills");
    expect(problems).toMatchObject([{ code: "skill-locked", fix: "Review the skill, then run 'skillset trust'." }]);
    const told = chat.log.find(({ event }) => event === "skill-problem");
    expect(told).toMatchObject({ code: "skill-locked", fix: "Review the skill, then run 'skillset trust'." });
    new TrustStore().trust([`${project}/${place}/tea`]);
    expect(await stateOf(await openChat({ project, config, startFolder: project }))).toBe("enabled");
    // Whoever writes the settings trusts the folders in them.
    expect(await stateOf(await openChat({ project, config: settings("", `./${place}`) }))).toBe("enabled");
  },
);

test("with 'parent_folders', the nearest trusted skill is used, and the page lists the folders in their order", async () => {
  const project = temporaryFolder(FILES);
  new TrustStore().trust([`${project}/a/.agents/skills/tea`, `${project}/a/.agents/skills/jam`]);
  const chat = await openChat({ project, config: settings("parent_folders = true"), startFolder: `${project}/a/b` });
  const { roots, rows, problems } = await chat.get<SkillsView>("/api/skills", ADMIN);
  expect(roots.filter(({ isThere }) => isThere)).toEqual([
    { path: `${project}/a/b/.agents/skills`, isThere: true, isAbove: true },
    { path: `${project}/a/.agents/skills`, isThere: true, isAbove: true },
    { path: `${project}/.agents/skills`, isThere: true, isAbove: false },
  ]);
  expect(rows.map(({ name, state, description }) => `${name} ${state}: ${description}`)).toEqual([
    "tea locked: Of b.",
    "jam enabled: Of a.",
    "tea enabled: Of a.",
    "tea shadowed: Of the root.",
  ]);
  expect(problems.filter(({ code }) => code === "source-missing")).toEqual([]);
});

test("without the setting, only the folders in the settings are read", async () => {
  const project = temporaryFolder(FILES);
  const chat = await openChat({ project, config: settings(""), startFolder: `${project}/a/b` });
  const { roots, rows } = await chat.get<SkillsView>("/api/skills", ADMIN);
  expect(roots.map(({ path }) => path)).toEqual([`${project}/.agents/skills`]);
  expect(rows).toMatchObject([{ name: "tea", description: "Of the root." }]);
});

test("a folder above that does not exist is listed, and is not a problem", async () => {
  const project = temporaryFolder({ ".git/HEAD": "", ".skills/tea/SKILL.md": skillMd("tea"), "a/.keep": "" });
  const config = settings("parent_folders = true", "./.skills");
  const chat = await openChat({ project, config, startFolder: `${project}/a` });
  const { roots, problems } = await chat.get<SkillsView>("/api/skills");
  expect(roots).toContainEqual({ path: "./a/.agents/skills", isThere: false, isAbove: true });
  expect(roots).toContainEqual({ path: "./.skills", isThere: true, isAbove: false });
  expect(problems).toEqual([]);
});

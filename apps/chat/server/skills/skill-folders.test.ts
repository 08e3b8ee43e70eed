import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { TrustStore } from "skillset/node";
import { afterEach, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat, TOKEN } from "../testing/open-chat.ts";
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

test("the folders at and above the start come first, nearest first, up to the project root and not beyond it", () => {
  const outer = temporaryFolder({ ".agents/skills/.keep": "", "project/.git/HEAD": "", "project/a/b/.keep": "" });
  const projectRoot = `${outer}/project`;
  const pathsOf = (directories: readonly string[], parentFolders: boolean, startFolder = `${projectRoot}/a/b`) =>
    skillFolders({ config: { directories, parentFolders }, projectRoot, startFolder }).map(({ path }) => path);
  const above = [`${projectRoot}/a/b/.agents/skills`, `${projectRoot}/a/.agents/skills`];
  const own = `${projectRoot}/.agents/skills`;
  const ofClaude = [projectRoot, `${projectRoot}/a`, `${projectRoot}/a/b`]
    .map((one) => `${one}/.claude/skills`)
    .reverse();
  expect(pathsOf(["./.skills"], true)).toEqual([...above, own, `${projectRoot}/.skills`, ...ofClaude]);
  // A folder that the settings name keeps its place.
  expect(pathsOf(["./.skills", "./.agents/skills", "~/more"], true)).toEqual([
    ...above,
    `${projectRoot}/.skills`,
    own,
    `${homedir()}/more`,
    ...ofClaude,
  ]);
  expect(pathsOf(["./.agents/skills"], false)).toEqual([own]);
  // Outside a repository, only the folder of the start.
  expect(pathsOf([], true, outer)).toEqual([`${outer}/.agents/skills`, `${outer}/.claude/skills`]);
});

test("'.claude/skills' at and above the start come last, without those that are links to another folder", () => {
  const projectRoot = temporaryFolder({
    ".git/HEAD": "",
    ".agents/skills/.keep": "",
    "a/.claude/skills/.keep": "",
    ".claude/.keep": "",
  });
  symlinkSync("../.agents/skills", `${projectRoot}/.claude/skills`);
  const config = { directories: ["./.skills", "./.agents/skills"], parentFolders: true };
  expect(skillFolders({ config, projectRoot, startFolder: `${projectRoot}/a` }).map(({ path }) => path)).toEqual([
    `${projectRoot}/a/.agents/skills`,
    `${projectRoot}/.skills`,
    `${projectRoot}/.agents/skills`,
    `${projectRoot}/a/.claude/skills`,
  ]);
});

test("skills in '.claude/skills' are locked until they are trusted, and never replace others", async () => {
  const project = temporaryFolder({
    ".git/HEAD": "",
    ".agents/skills/tea/SKILL.md": skillMd("tea", "Of agents."),
    ".claude/skills/tea/SKILL.md": skillMd("tea", "Of Claude."),
    ".claude/skills/jam/SKILL.md": skillMd("jam", "Of Claude."),
  });
  const config = settings("parent_folders = true");
  const rowsOf = async () => {
    const chat = await openChat({ project, config, startFolder: project });
    const { rows } = await chat.get<SkillsView>("/api/skills", ADMIN);
    return rows.map(({ name, state, description }) => `${name} ${state}: ${description}`).sort();
  };
  expect(await rowsOf()).toEqual(["jam locked: Of Claude.", "tea enabled: Of agents.", "tea locked: Of Claude."]);
  new TrustStore().trust([`${project}/.claude/skills/tea`, `${project}/.claude/skills/jam`]);
  expect(await rowsOf()).toEqual(["jam enabled: Of Claude.", "tea enabled: Of agents.", "tea shadowed: Of Claude."]);
});

test("with 'parent_folders', the nearest trusted skill is used, and the page lists the folders in their order", async () => {
  const project = temporaryFolder(FILES);
  new TrustStore().trust([`${project}/a/.agents/skills/tea`, `${project}/a/.agents/skills/jam`]);
  const chat = await openChat({ project, config: settings("parent_folders = true"), startFolder: `${project}/a/b` });
  const { roots, rows, problems } = await chat.get<SkillsView>("/api/skills", ADMIN);
  expect(roots).toEqual([
    { path: `${project}/a/b/.agents/skills`, isThere: true, isAbove: true },
    { path: `${project}/a/.agents/skills`, isThere: true, isAbove: true },
    { path: `${project}/.agents/skills`, isThere: true, isAbove: false },
    { path: `${project}/a/b/.claude/skills`, isThere: false, isAbove: true },
    { path: `${project}/a/.claude/skills`, isThere: false, isAbove: true },
    { path: `${project}/.claude/skills`, isThere: false, isAbove: true },
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
  expect(roots).toEqual([
    { path: "./a/.agents/skills", isThere: false, isAbove: true },
    { path: "./.agents/skills", isThere: false, isAbove: true },
    { path: "./.skills", isThere: true, isAbove: false },
    { path: "./a/.claude/skills", isThere: false, isAbove: true },
    { path: "./.claude/skills", isThere: false, isAbove: true },
  ]);
  expect(problems).toEqual([]);
});

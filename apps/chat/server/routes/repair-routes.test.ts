import { chmodSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { asOrdinaryUser } from "../../../../test/as-ordinary-user.ts";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { RepairResult, RepairView, SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat, type TestChat, TOKEN } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const ADMIN = { authorization: `Bearer ${TOKEN}` };
const COLON = "---\nname: colon\ndescription: Use this: it has a colon\n---\nBody\n";
const FILES = {
  ".skills/colon/SKILL.md": COLON,
  ".skills/folder/SKILL.md": skillMd("other", "Has another folder."),
  ".skills/My_Skill/SKILL.md": skillMd("My_Skill", "Is upper case."),
  ".skills/fine/SKILL.md": skillMd("fine"),
  ".skills/empty/SKILL.md": "---\nname: empty\n---\n",
};

const plan = (chat: TestChat) => chat.get<readonly RepairView[]>("/api/repairs", ADMIN);
const fileOf = (chat: TestChat, name: string) => `${chat.project}/.skills/${name}/SKILL.md`;

async function repair(chat: TestChat, repairs: readonly RepairView[]): Promise<RepairResult> {
  const response = await chat.asAdmin("POST", "/api/repairs", { ids: repairs.map(({ id }) => id) });
  expect(response.status).toBe(200);
  return (await response.json()) as RepairResult;
}

async function only(chat: TestChat, name: string): Promise<RepairView> {
  const found = (await plan(chat)).find((one) => one.file === fileOf(chat, name));
  if (found === undefined) throw new Error(`There is no repair for ${name}.`);
  return found;
}

describe("the repairs", () => {
  test("are those of 'doctor --fix', with the lines that change, and showing them writes nothing", async () => {
    const chat = await openChat({ files: FILES });
    const repairs = await plan(chat);
    expect(repairs.map(({ name }) => name).sort()).toEqual(["colon", "folder", "my-skill"]);
    expect((await only(chat, "colon")).hunks[0]?.lines.filter(({ kind }) => kind !== " ")).toEqual([
      { kind: "-", line: "description: Use this: it has a colon" },
      { kind: "+", line: 'description: "Use this: it has a colon"' },
    ]);
    for (const [path, text] of Object.entries(FILES))
      expect(readFileSync(`${chat.project}/${path}`, "utf8")).toBe(text);
  });

  test("are named on the problems that they fix, without paths for others than admins", async () => {
    const chat = await openChat({ files: FILES });
    const { problems } = await chat.get<SkillsView>("/api/skills", ADMIN);
    const offered = problems.filter(({ canRepair }) => canRepair).map(({ path }) => path);
    expect(new Set(offered)).toEqual(new Set(["colon", "folder", "My_Skill"].map((name) => fileOf(chat, name))));
    expect(problems.find(({ code }) => code === "description-missing")).not.toHaveProperty("canRepair");
    const others = await chat.get<SkillsView>("/api/skills");
    expect(others.problems.map(({ code, canRepair }) => [code, canRepair])).toEqual(
      problems.map(({ code, canRepair }) => [code, canRepair]),
    );
    expect(JSON.stringify(others)).not.toContain(chat.project);
  });

  test.each(["GET", "POST"])("need the admin token: %s", async (method) => {
    const chat = await openChat({ files: FILES });
    const ids = (await plan(chat)).map(({ id }) => id);
    expect((await chat.call(method, "/api/repairs", method === "POST" ? { ids } : undefined)).status).toBe(401);
    expect(readFileSync(fileOf(chat, "colon"), "utf8")).toBe(COLON);
  });

  test("are made on confirmation, and the skills are loaded at once", async () => {
    const chat = await openChat({ files: FILES });
    expect(await repair(chat, await plan(chat))).toMatchObject({
      repaired: expect.arrayContaining(["colon", "folder", "my-skill"]),
      failed: [],
    });
    const { rows } = await chat.get<SkillsView>("/api/skills");
    const enabled = rows.filter(({ state }) => state === "enabled").map(({ name }) => name);
    expect(enabled.sort()).toEqual(["colon", "fine", "folder", "my-skill"]);
    expect(existsSync(`${chat.project}/.skills/my-skill/SKILL.md`)).toBe(true);
    expect(await plan(chat)).toEqual([]);
    expect(chat.log).toContainEqual(
      expect.objectContaining({ event: "admin-action", action: "repair", skill: "colon" }),
    );
  });
});

describe("a repair writes nothing", () => {
  test("if the file has changed since the repair was shown", async () => {
    const chat = await openChat({ files: FILES });
    const shown = await only(chat, "colon");
    const changed = COLON.replace("Use this", "Use that");
    writeFileSync(fileOf(chat, "colon"), changed);
    const { repaired, failed } = await repair(chat, [shown]);
    expect(repaired).toEqual([]);
    expect(failed).toEqual([
      {
        id: shown.id,
        message: expect.stringContaining("has changed since the change was shown. Nothing was written."),
      },
    ]);
    expect(readFileSync(fileOf(chat, "colon"), "utf8")).toBe(changed);
  });

  test("if the folder has become a link to another one", async () => {
    const chat = await openChat({ files: { ...FILES, "outside/colon/SKILL.md": COLON } });
    const shown = await only(chat, "colon");
    renameSync(`${chat.project}/.skills/colon`, `${chat.project}/aside`);
    symlinkSync(`${chat.project}/outside/colon`, `${chat.project}/.skills/colon`);
    expect(await repair(chat, [shown])).toMatchObject({ repaired: [], failed: [{ id: shown.id }] });
    expect(readFileSync(`${chat.project}/outside/colon/SKILL.md`, "utf8")).toBe(COLON);
  });

  test("if the folder cannot be written, and says so; the other repairs are made", async () => {
    const chat = await openChat({ files: FILES });
    const repairs = [await only(chat, "colon"), await only(chat, "folder")];
    chmodSync(chat.project, 0o755);
    chmodSync(`${chat.project}/.skills/folder`, 0o777);
    chmodSync(`${chat.project}/.skills/colon`, 0o555);
    const { repaired, failed } = await asOrdinaryUser(() => repair(chat, repairs));
    expect(repaired).toEqual(["folder"]);
    const message = `'${chat.project}/.skills/colon' cannot be changed (EACCES). Nothing was written. The user who runs this program needs write access.`;
    expect(failed).toEqual([{ id: repairs[0]?.id, message }]);
    expect(readFileSync(fileOf(chat, "colon"), "utf8")).toBe(COLON);
  });

  test.each([{}, { ids: [] }, { ids: [7] }, { ids: "all" }])("for the body %j", async (body) => {
    const chat = await openChat({ files: FILES });
    expect((await chat.asAdmin("POST", "/api/repairs", body)).status).toBe(400);
    expect(await plan(chat)).toHaveLength(3);
  });
});

test("a skill in a folder that is a link is repaired where it is, as the command line does", async () => {
  const chat = await openChat({
    files: { "elsewhere/colon/SKILL.md": COLON, ".skills/fine/SKILL.md": skillMd("fine") },
  });
  symlinkSync(`${chat.project}/elsewhere/colon`, `${chat.project}/.skills/colon`);
  await chat.asAdmin("POST", "/api/skills/rescan");
  expect(await repair(chat, await plan(chat))).toMatchObject({ repaired: ["colon"] });
  expect(readFileSync(`${chat.project}/elsewhere/colon/SKILL.md`, "utf8")).toContain('"Use this: it has a colon"');
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { AppEvent } from "../../shared/api.ts";
import type { SkillDetail, SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat, type TestChat, TOKEN } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/pdf/SKILL.md": `---\nname: pdf\ndescription: Reads PDFs.\nallowed-tools: Bash(pdftotext:*) Read\nlicense: MIT\ncolour: red\n---\nRead references/a.md.`,
  ".skills/pdf/references/a.md": "A reference",
  ".skills/pdf/assets/logo.png": new Uint8Array([0x89, 0x50, 0, 1]),
  ".skills/Broken/SKILL.md": "---\nname: Broken Name\ndescription: x\n---\n",
  ".skills/quiet/SKILL.md": "---\nname: quiet\ndescription: For models.\nuser-invocable: false\n---\nQuiet.",
  ".skills/secret/SKILL.md":
    "---\nname: secret\ndescription: For people.\ndisable-model-invocation: true\n---\nSecret.",
  ".agents/skills/pdf/SKILL.md": skillMd("pdf", "Another one."),
};
const ADMIN = { authorization: `Bearer ${TOKEN}` };

const stateOf = ({ rows }: SkillsView) => rows.map(({ name, state }) => `${name} ${state}`);

/** Expects no absolute path anywhere, in any form. */
function expectNoPaths(value: unknown, chat: TestChat): void {
  const text = JSON.stringify(value);
  expect(text).not.toContain(chat.project);
  expect(text).not.toMatch(/"\/|file:\/\/|[\s'(]\/(?:tmp|home|root|Users)\//);
}

describe("the listing", () => {
  test("has valid, invalid and shadowed skills, collisions, roots and warnings", async () => {
    const chat = await openChat({ files: FILES });
    const view = await chat.get<SkillsView>("/api/skills", ADMIN);
    expect(stateOf(view)).toEqual(["Broken invalid", "pdf enabled", "quiet enabled", "secret enabled", "pdf shadowed"]);
    expect(view.rows[0]?.reason).toBeTruthy();
    expect(view.roots.map(({ path }) => path)).toEqual([`${chat.project}/.skills`, `${chat.project}/.agents/skills`]);
    const [collision] = view.collisions;
    expect(collision).toEqual({
      name: "pdf",
      winner: `${chat.project}/.skills/pdf`,
      losers: [`${chat.project}/.agents/skills/pdf`],
    });
    expect(view.problems.map(({ code }) => code)).toContain("field-unknown");
    expect(view.problems.find(({ code }) => code === "field-unknown")?.message).toContain("colour");
    expect(view.rows[1]).toMatchObject({ path: `${chat.project}/.skills/pdf`, isUserInvocable: true, problems: 1 });
    expect(JSON.parse(view.catalog.text)).toEqual({
      available_skills: [
        { name: "pdf", description: "Reads PDFs." },
        { name: "quiet", description: "For models." },
      ],
    });
    expect(chat.log.some(({ event, level }) => event === "skill-problem" && level === "warn")).toBe(true);
  });

  test("without the token, no view, problem or error contains an absolute path", async () => {
    const chat = await openChat({ files: FILES });
    const view = await chat.get<SkillsView>("/api/skills");
    expectNoPaths(view, chat);
    expect(view.roots.map(({ path }) => path)).toEqual(["./.skills", "./.agents/skills"]);
    expect(view.rows.every((row) => !("path" in row))).toBe(true);
    expect(view.problems.some(({ path }) => path === "./.skills/pdf/SKILL.md")).toBe(true);
    for (const path of [
      "/api/skills/pdf",
      "/api/skills/nothing",
      "/api/skills/pdf/file?path=/etc/passwd",
      "/api/skills/pdf/file?path=../secret/SKILL.md",
      "/api/skills/pdf/file?path=nothing.md",
    ]) {
      expectNoPaths(await chat.get(path), chat);
    }
  });

  test("without the token, folders outside the project and the home have different names", async () => {
    const files = { "skills/pdf/SKILL.md": skillMd("pdf"), "skills/Bad/SKILL.md": skillMd("Bad") };
    const [first, second] = [temporaryFolder(files), temporaryFolder(files)];
    const directories = JSON.stringify([`${first}/skills`, `${second}/skills`]);
    const chat = await openChat({ config: `[app.skills]\nenabled = true\ndirectories = ${directories}\n` });
    const view = await chat.get<SkillsView>("/api/skills");
    const detail = await chat.get<SkillDetail>("/api/skills/pdf");
    for (const shown of [view, detail]) {
      expectNoPaths(shown, chat);
      for (const folder of [first, second]) expect(JSON.stringify(shown)).not.toContain(folder);
    }
    expect(view.roots.map(({ path }) => path)).toEqual(["…/skills", "…/skills (2)"]);
    expect(view.collisions).toEqual([{ name: "pdf", winner: "…/skills/pdf", losers: ["…/skills (2)/pdf"] }]);
    expect(view.rows.filter(({ name }) => name === "pdf").map(({ source }) => source)).toEqual([
      "…/skills",
      "…/skills (2)",
    ]);
    expect(view.problems.map(({ path }) => path)).toContain("…/skills (2)/Bad/SKILL.md");
    expect(detail.row.source).toBe("…/skills");
  });

  test("a skill has its instructions, files and allowed tools, which are logged", async () => {
    const chat = await openChat({ files: FILES });
    const detail = await chat.get<SkillDetail>("/api/skills/pdf");
    expect(detail).toMatchObject({
      row: { name: "pdf", state: "enabled", source: "./.skills" },
      instructions: "Read references/a.md.",
      license: "MIT",
      allowedTools: ["Bash(pdftotext:*)", "Read"],
      problems: [{ code: "field-unknown" }],
    });
    expect(detail.files.map(({ path }) => path)).toEqual(["SKILL.md", "assets/logo.png", "references/a.md"]);
    expect(detail.usage).toHaveLength(30);
    expect(chat.log).toContainEqual(
      expect.objectContaining({ event: "skill-allowed-tools", skill: "pdf", isEnforced: true }),
    );
  });

  test.each([
    ["references/a.md", 200, { path: "references/a.md", content: "A reference", isTruncated: false }],
    ["references/../SKILL.md", 200, { path: "SKILL.md", isTruncated: false }],
    ["../secret/SKILL.md", 403, { error: { code: "resource-outside-skill" } }],
    ["/etc/passwd", 403, { error: { code: "resource-outside-skill" } }],
    ["assets/logo.png", 415, { error: { code: "resource-not-text" } }],
    ["nothing.md", 404, { error: { code: "resource-not-found" } }],
  ])("the file %s returns %i", async (path, status, body) => {
    const chat = await openChat({ files: FILES });
    const response = await chat.call("GET", `/api/skills/pdf/file?path=${encodeURIComponent(path)}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });

  test("'/' lists only skills that users may invoke", async () => {
    const chat = await openChat({ files: FILES });
    expect(await chat.get("/api/commands")).toEqual([
      { name: "pdf", description: "Reads PDFs." },
      { name: "secret", description: "For people." },
    ]);
  });

  test("'/' has the hint of a skill with arguments", async () => {
    const text = '---\nname: mail\ndescription: Sends mail.\nargument-hint: "[person]"\n---\nx';
    const chat = await openChat({ files: { ".skills/mail/SKILL.md": text } });
    const command = { name: "mail", description: "Sends mail.", argumentHint: "[person]" };
    expect(await chat.get("/api/commands")).toEqual([command]);
  });

  test("skills above the limit in the settings are left out with a warning", async () => {
    const config = '[app.skills]\nenabled = true\ndirectories = ["./.skills"]\nmax_skills = 1\n';
    const chat = await openChat({ files: FILES, config });
    const view = await chat.get<SkillsView>("/api/skills");
    expect(view.rows.filter(({ state }) => state === "enabled")).toHaveLength(1);
    expect(view.problems.map(({ code }) => code)).toContain("skill-limit");
  });

  test("a missing folder is skipped with one warning", async () => {
    const config = '[app.skills]\nenabled = true\ndirectories = ["./.skills", "./nowhere"]\n';
    const chat = await openChat({ files: FILES, config });
    const warnings = chat.log.filter(({ code }) => code === "source-missing");
    expect(warnings).toHaveLength(1);
    await chat.asAdmin("POST", "/api/skills/rescan");
    expect(chat.log.filter(({ code }) => code === "source-missing")).toHaveLength(1);
  });

  test("a missing default folder is logged as information and is not a problem", async () => {
    const config = '[app.skills]\nenabled = true\ndirectories = ["./.skills", "./.agents/skills", "./nowhere"]\n';
    const chat = await openChat({ files: { ".skills/pdf/SKILL.md": skillMd("pdf") }, config });
    const { roots, problems } = await chat.get<SkillsView>("/api/skills");
    expect(roots).toEqual([
      { path: "./.skills", isThere: true, isAbove: false },
      { path: "./.agents/skills", isThere: false, isAbove: false },
      { path: "./nowhere", isThere: false, isAbove: false },
    ]);
    expect(problems.map(({ path }) => path)).toEqual(["./nowhere"]);
    const logged = chat.log.filter(({ code }) => code === "source-missing");
    expect(logged.map(({ level }) => level)).toEqual(["info", "warn"]);
  });
});

describe("admin actions", () => {
  test("a switch requires the token, takes effect at once, and survives a restart", async () => {
    const chat = await openChat({ files: FILES });
    const events: AppEvent[] = [];
    chat.services.events.subscribe((event) => events.push(event));
    const off = { isEnabled: false };
    expect((await chat.call("PUT", "/api/skills/pdf/switch", off)).status).toBe(401);
    const wrong = { authorization: "Bearer not-the-token-at-all" };
    expect((await chat.call("PUT", "/api/skills/pdf/switch", off, wrong)).status).toBe(401);
    expect((await chat.asAdmin("PUT", "/api/skills/nothing/switch", off)).status).toBe(404);
    expect((await chat.asAdmin("PUT", "/api/skills/pdf/switch", { isEnabled: "no" })).status).toBe(400);
    expect((await chat.asAdmin("PUT", "/api/skills/pdf/switch", off)).status).toBe(204);
    const view = await chat.get<SkillsView>("/api/skills");
    expect(events).toEqual([{ type: "skills-switched", on: [], off: ["pdf"] }]);
    expect(view.rows.find(({ state }) => state === "disabled")).toMatchObject({ reason: "disabled by an admin" });
    expect(stateOf(view)).toContain("pdf disabled");
    expect(stateOf(view)).not.toContain("pdf enabled");
    expect(view.catalog.text).not.toContain("pdf");
    const again = await openChat({ project: chat.project });
    expect(stateOf(await again.get("/api/skills"))).toContain("pdf disabled");
    expect((await again.get<SkillDetail>("/api/skills/pdf")).instructions).toBe("Read references/a.md.");
    expect((await again.call("GET", "/api/skills/pdf/file?path=references/a.md")).status).toBe(200);
    await again.asAdmin("PUT", "/api/skills/pdf/switch", { isEnabled: true });
    expect(stateOf(await again.get("/api/skills"))).toContain("pdf enabled");
  });

  test("a rescan creates a new snapshot and leaves the old one unchanged", async () => {
    const chat = await openChat({ files: FILES });
    const before = chat.services.skills?.registry.current;
    mkdirSync(`${chat.project}/.skills/added`);
    writeFileSync(`${chat.project}/.skills/added/SKILL.md`, skillMd("added"));
    expect((await chat.call("POST", "/api/skills/rescan")).status).toBe(401);
    const view = (await (await chat.asAdmin("POST", "/api/skills/rescan")).json()) as SkillsView;
    expect(stateOf(view)).toContain("added enabled");
    expect(before?.has("added")).toBe(false);
  });
});

test("added, changed and removed skills take effect without a restart, and open pages are notified", async () => {
  const chat = await openChat({ files: FILES });
  const events: AppEvent[] = [];
  chat.services.events.subscribe((event) => events.push(event));
  await chat.services.skills?.registry.ready;
  mkdirSync(`${chat.project}/.skills/added`);
  writeFileSync(`${chat.project}/.skills/added/SKILL.md`, skillMd("added"));
  const names = async () => (await chat.get<{ name: string }[]>("/api/commands")).map(({ name }) => name);
  await expect.poll(names, { timeout: 10_000 }).toContain("added");
  expect(events).toContainEqual({ type: "skills-changed", added: 1, changed: 0, removed: 0 });
  rmSync(`${chat.project}/.skills/added`, { recursive: true });
  await expect.poll(names, { timeout: 10_000 }).not.toContain("added");
});

test("activations are counted by skill, chat and day, without deleted chats", async () => {
  const script = [{ call: "skills_activate", input: { name: "pdf" } }, { say: "Done." }, { say: "Again." }];
  const chat = await openChat({ files: FILES, script });
  const [first, second] = [await chat.create(), await chat.create()];
  await chat.say(first, "Read it");
  await chat.call("DELETE", `/api/chats/${first}/skills/pdf`);
  await chat.say(first, "/pdf");
  await chat.say(second, "/pdf");
  const row = (await chat.get<SkillsView>("/api/skills")).rows.find(({ name }) => name === "pdf");
  expect(row).toMatchObject({ chats: 2, activations: 3 });
  expect(await chat.get("/api/skill-usage")).toEqual({ pdf: { chats: 2, activations: 3 } });
  const { usage } = await chat.get<SkillDetail>("/api/skills/pdf");
  expect(usage.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), activations: 3 });
  const counted = async () => {
    const { rows } = await chat.get<SkillsView>("/api/skills");
    const { usage: days } = await chat.get<SkillDetail>("/api/skills/pdf");
    const { chats, activations } = rows.find(({ name }) => name === "pdf") ?? {};
    return [chats, activations, days.at(-1)?.activations];
  };
  await chat.call("DELETE", `/api/chats/${second}`);
  expect(await counted()).toEqual([1, 2, 2]);
  await chat.call("POST", `/api/bin/${second}/restore`);
  expect(await counted()).toEqual([2, 3, 3]);
  await chat.call("DELETE", `/api/chats/${second}`);
  await chat.call("DELETE", "/api/bin");
  expect(await counted()).toEqual([1, 2, 2]);
});

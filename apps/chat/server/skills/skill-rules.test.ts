import { afterEach, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { SkillDetail, SkillsView } from "../../shared/skills-api.ts";
import { StartError } from "../config/start-error.ts";
import { openMemory } from "../testing/memory-database.ts";
import { emptyDatabase, openChat, TOKEN } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const RULES = `allowed-tools: Read Bash(git:*)
disallowed-tools: [WebFetch, "Bash(rm:*)"]
triggers:
  keywords: [tea]
  patterns: ["cups? of"]
toolsets: ["toolsets/index:Kettle"]
metadata:
  version: "1.2.0"
  author: Ada
  trigger-verbs: brew
  requires: node
`;
const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "x", RULES),
  ".skills/pdf/SKILL.md": skillMd(
    "pdf",
    "Reads PDFs.",
    "x",
    "metadata:\n  requires: no-such-command-of-ours\n  requires-skills: tea\n",
  ),
  ".skills/plain/SKILL.md": skillMd("plain"),
};
const settings = (more = "") => `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n${more}\n`;

describe("the page of a skill", () => {
  test("has its rules, version and other metadata, and what the settings do with them", async () => {
    const chat = await openChat({ files: FILES, config: settings('triggers = "suggest"') });
    expect(await chat.get<SkillDetail>("/api/skills/tea")).toMatchObject({
      row: { version: "1.2.0", state: "enabled" },
      allowedTools: ["Read", "Bash(git:*)"],
      disallowedTools: ["WebFetch", "Bash(rm:*)"],
      triggers: { keywords: ["tea"], verbs: ["brew"], patterns: ["cups? of"] },
      toolsets: ["toolsets/index:Kettle"],
      requirements: [{ field: "requires", text: "node", state: "met", unmet: [] }],
      metadata: { author: "Ada" },
      policies: { allowedTools: "enforce", triggers: "suggest" },
    });
    const plain = await chat.get<SkillDetail>("/api/skills/plain");
    expect(plain).toMatchObject({
      allowedTools: [],
      disallowedTools: [],
      toolsets: [],
      requirements: [],
      metadata: {},
    });
    expect(plain).not.toHaveProperty("triggers");
  });

  test("has its folder, its SKILL.md and the scanned folder, for admins only", async () => {
    const chat = await openChat({ files: FILES, config: settings() });
    const detail = await chat.get<SkillDetail>("/api/skills/tea", { authorization: `Bearer ${TOKEN}` });
    expect(detail).toMatchObject({
      skillDir: `${chat.project}/.skills/tea`,
      skillMdPath: `${chat.project}/.skills/tea/SKILL.md`,
      sourceDir: `${chat.project}/.skills`,
      allowedTools: ["Read", "Bash(git:*)"],
    });
    const others = await chat.get<SkillDetail>("/api/skills/tea");
    for (const key of ["skillDir", "skillMdPath", "sourceDir"]) expect(others).not.toHaveProperty(key);
    expect(JSON.stringify(others)).not.toContain(chat.project);
  });

  test("has metadata that is nested, long or looks like HTML as text", async () => {
    const long = "word ".repeat(200).trim();
    const fields = `metadata:\n  owner:\n    team: [a, b]\n  long: ${long}\n  html: "<img src=x onerror=alert(1)>"\n`;
    const files = { ".skills/odd/SKILL.md": skillMd("odd", "Is odd.", "x", fields) };
    const chat = await openChat({ files, config: settings() });
    const { metadata } = await chat.get<SkillDetail>("/api/skills/odd");
    expect(metadata).toEqual({ owner: '{"team":["a","b"]}', long, html: "<img src=x onerror=alert(1)>" });
  });

  test("says which requirement is not met and how to meet it, and the skill is listed with the reason", async () => {
    const chat = await openChat({ files: FILES, config: settings() });
    const reason = expect.stringContaining("no-such-command-of-ours");
    const fix = expect.stringContaining("no-such-command-of-ours");
    expect(await chat.get<SkillDetail>("/api/skills/pdf")).toMatchObject({
      row: { state: "unavailable", reason },
      requirements: [
        { field: "requires", text: "no-such-command-of-ours", state: "unmet", unmet: [{ reason, fix }] },
        { field: "requires-skills", text: "tea", state: "met", unmet: [] },
      ],
    });
    const { rows, catalog } = await chat.get<SkillsView>("/api/skills");
    expect(rows.find(({ name }) => name === "pdf")).toMatchObject({ state: "unavailable", reason });
    expect(catalog.text).not.toContain("pdf");
  });

  test("does not check the requirements of a disabled skill", async () => {
    const chat = await openChat({ files: FILES, config: settings() });
    await chat.asAdmin("PUT", "/api/skills/tea/switch", { isEnabled: false });
    const { requirements } = await chat.get<SkillDetail>("/api/skills/tea");
    expect(requirements).toMatchObject([{ field: "requires", state: "unchecked" }]);
    const pdf = await chat.get<SkillDetail>("/api/skills/pdf");
    expect(pdf.row.state).toBe("unavailable");
  });
});

describe("a profile in the settings", () => {
  const PROFILES = JSON.stringify({ profiles: { calm: { disabled: ["pl*"], allowedTools: "enforce" } } });

  test("disables what it leaves out, and makes the policy stricter", async () => {
    const files = { ...FILES, "skillset.json": PROFILES, "package.json": '{"workspaces":[]}' };
    const chat = await openChat({ files, config: settings('profile = "calm"\nallowed_tools = "log"') });
    const { rows } = await chat.get<SkillsView>("/api/skills");
    const plain = rows.find(({ name }) => name === "plain");
    expect(plain).toMatchObject({ state: "disabled", reason: expect.stringContaining("the profile 'calm'") });
    expect(JSON.stringify(rows)).not.toContain(chat.project);
    const view = await chat.get<SkillsView>("/api/skills", { authorization: `Bearer ${TOKEN}` });
    expect(JSON.stringify(view.rows)).toContain(`${chat.project}/skillset.json`);
    const { policies } = await chat.get<SkillDetail>("/api/skills/tea");
    expect(policies.allowedTools).toBe("enforce");
  });

  test("that does not exist ends the start with the line of the setting", async () => {
    // A failed start closes its database.
    const database = await openMemory();
    const opening = openChat({ files: FILES, config: settings('profile = "no-such-profile"'), database });
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(/config\.toml:4: There is no profile 'no-such-profile'/);
  });
});

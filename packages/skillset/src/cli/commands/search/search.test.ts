import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const FILES = {
  "s/forms/SKILL.md": skillMd("forms", "Fills in and flattens PDF forms.", "# Forms\n"),
  "s/invoices/SKILL.md": skillMd("invoices", "Writes invoices for customers.", "Send the PDF.\n"),
  "s/private/SKILL.md":
    "---\nname: private\ndescription: Keeps a diary.\ndisable-model-invocation: true\n---\n\n# Private\n",
  "s/broken/SKILL.md": "no frontmatter, but a PDF\n",
};

async function search(argv: readonly string[], world: Partial<World> = {}) {
  const cwd = temporaryFolder(FILES);
  return { cwd, ...(await runCaptured(["search", ...argv], { cwd, ...world })) };
}

describe("skillset search", () => {
  test("prints the name, the description and the matched words of each skill, best first", async () => {
    const { code, stdout, stderr } = await search(["pdf", "s"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      "forms  s/forms/SKILL.md\n  Fills in and flattens PDF forms.\n  matches: pdf\n" +
        "invoices  s/invoices/SKILL.md\n  Writes invoices for customers.\n  matches: pdf\n",
    );
  });

  test("--json prints the query and the skills", async () => {
    const { cwd, stdout } = await search(["pdf forms", "s", "--json", "--limit", "1"]);
    expect(JSON.parse(stdout)).toEqual({
      query: "pdf forms",
      skills: [
        {
          name: "forms",
          description: "Fills in and flattens PDF forms.",
          matched: ["pdf", "forms"],
          fit: expect.any(Number),
          modelInvocable: true,
          path: `${cwd}/s/forms/SKILL.md`,
        },
      ],
      locked: 0,
    });
  });

  test("finds skills for users only, and says so", async () => {
    expect((await search(["diary", "s"])).stdout).toBe(
      "private  s/private/SKILL.md\n  Keeps a diary.\n  matches: diary; only users can invoke it\n",
    );
  });

  test.each([
    ["iOS", "ios"],
    ["I've 2.1 there, haven't you?", "there"],
    ["useState", "use, state"],
    ["发送简讯", "发送, 送简, 简讯"],
  ])("shows whole words of the query %s, unless only parts of them match", async (query, words) => {
    const text = "Sends to iOS. Use state 2 or 1 there, I have. Ve haven. 发送简讯";
    const cwd = temporaryFolder({ "s/send/SKILL.md": skillMd("send", text) });
    const { stdout } = await runCaptured(["search", query, "s"], { cwd });
    expect(stdout.split("matches: ")[1]).toBe(`${words}\n`);
  });

  test("succeeds if no skill fits, or if there is none", async () => {
    const { code, stdout } = await search(["quantum chromodynamics", "s"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "No skill fits 'quantum chromodynamics'. Try other words, or run 'skillset list'.\n",
    });
    expect((await search(["tea"])).stdout).toContain(
      "No skills. Run 'skillset list' to see what was found, and where.\n",
    );
    expect(JSON.parse((await search(["quantum", "s", "--json"])).stdout)).toEqual({
      query: "quantum",
      skills: [],
      locked: 0,
    });
  });

  test("searches the standard folders by default", async () => {
    const home = temporaryFolder({ ".agents/skills/tea/SKILL.md": skillMd("tea", "Brews tea.", "# Tea\n") });
    expect((await search(["tea"], { home })).stdout).toMatch(/^tea {2}.*\n {2}Brews tea\.\n/);
  });

  test("says how many skills are locked, and what unlocks them", async () => {
    const cwd = temporaryFolder({ "skills/tea/SKILL.md": skillMd("tea"), "skills/ale/SKILL.md": skillMd("ale") });
    const { stdout } = await runCaptured(["search", "tea"], { cwd });
    expect(stdout).toContain("2 skills of this project are locked. Review them, then run 'skillset trust'.\n");
    expect(JSON.parse((await runCaptured(["search", "tea", "--json"], { cwd })).stdout)).toMatchObject({ locked: 2 });
  });

  test("prints one line per description, without characters that control a terminal", async () => {
    const description = `"Tea ${"leaf ".repeat(60)}\\e[31m\\u202E"`;
    const cwd = temporaryFolder({ "s/tea/SKILL.md": `---\nname: tea\ndescription: ${description}\n---\n# Tea\n` });
    const { stdout } = await runCaptured(["search", "tea", "s"], { cwd, isTTY: true, columns: 60 });
    expect(stdout).not.toMatch(/\u202E|\u001b\[31m/);
    expect(stdout.split("\n")[1]).toHaveLength(60);
    expect(stdout.split("\n")[1]?.endsWith("…")).toBe(true);
  });

  test.each([
    [[], 2, "'skillset search' needs a query, as in 'skillset search \"fill in a PDF form\"'."],
    [[" "], 2, "'skillset search' needs a query, as in 'skillset search \"fill in a PDF form\"'."],
    [["tea", "s", "--limit", "0"], 2, "'--limit' needs a whole number of at least 1, not '0'."],
    [["tea", "nowhere"], 1, "nowhere"],
  ])("with %j fails with exit code %i", async (argv, exitCode, sentence) => {
    const { code, stderr } = await search(argv);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(sentence);
  });
});

// Follows the conformance skill's own procedure, with a real folder and real reads.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validate } from "skills-ref";
import { describe, expect, test } from "vitest";
import { createOperations, parseInvocations } from "../../packages/skillset/src/adapter/index.ts";
import { createSkillset, type Session } from "../../packages/skillset/src/index.ts";
import { optionalFolders } from "../../packages/skillset/src/node/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NAME = "skills-system-validation";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = join(ROOT, ".skills", NAME);

/** The skill's files, each with proof that it was read: its marker, and a word that is not in SKILL.md. */
const PROOFS = [
  ["references/REFERENCE.md", "SSV-MARKER-REFERENCE-8b27d0", "bittern"],
  ["assets/fixture.json", "SSV-MARKER-ASSET-e6035f", "vermilion"],
  ["scripts/echo.sh", "SSV-MARKER-SCRIPT-19da74", "Severn"],
] as const;
const SKILL_MARKER = "SSV-MARKER-SKILL-4c1e9a";

const REFUSALS = [
  ["../outside.txt", "Path traversal is not allowed"],
  ["inside/../../outside.txt", "Path traversal is not allowed"],
  ["/etc/hostname", "Path must be relative"],
] as const;

const openSession = async (folder = ROOT) =>
  (await createSkillset(optionalFolders(["./.skills"]), { cwd: folder })).session();

const textOf = (path: string) => readFileSync(join(FOLDER, path), "utf8");

/** Calls an operation by its name, as a model does. */
const operate = async (session: Session, name: string, input: unknown) => {
  const operation = createOperations(session).find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation.execute(input);
};

describe("the skill", () => {
  test("has no problem for the reference validator or for us", async () => {
    expect(await validate(FOLDER)).toEqual([]);
    const { names, problems } = await createSkillset([FOLDER], { policy: "strict" });
    expect({ names, problems }).toEqual({ names: [NAME], problems: [] });
  });

  test.each([
    ["createSkillset([folder])", () => createSkillset(["./.skills"], { cwd: ROOT })],
    ["optionalFolders([folder])", () => createSkillset(optionalFolders(["./.skills"]), { cwd: ROOT })],
  ])("is discovered through %s", async (_how, load) => {
    const skillset = await load();
    expect(skillset.problems).toEqual([]);
    expect(skillset.names).toContain(NAME);
    expect(skillset.catalog({ format: "json" }).text).toContain(`"name":"${NAME}"`);
  });

  test("shows only its name and description before it is activated", async () => {
    const prompt = (await (await openSession()).turn([])).instructions;
    expect(prompt).toContain(`<name>${NAME}</name>`);
    for (const secret of ["SSV-MARKER", ...PROOFS.flatMap(([, , word]) => word)]) expect(prompt).not.toContain(secret);
  });

  test("documents a marker for each of its files, and each marker is only in its own file", () => {
    const markers = [["SKILL.md", SKILL_MARKER], ...PROOFS];
    expect(new Set(markers.map(([, marker]) => marker)).size).toBe(markers.length);
    for (const [path = "", marker] of markers) {
      expect(textOf("SKILL.md")).toContain(`| \`${path}\` | \`${marker}\` |`);
      const holders = ["SKILL.md", ...PROOFS.map(([file]) => file)].filter((file) =>
        textOf(file).includes(marker ?? ""),
      );
      expect(new Set(holders)).toEqual(new Set(["SKILL.md", path]));
    }
  });

  test("does not contain the words that only its files contain", () => {
    for (const [path, , word] of PROOFS) {
      expect(textOf(path)).toContain(word);
      expect(textOf("SKILL.md")).not.toContain(word);
    }
  });

  test("names only existing files in its steps, except those that must be refused", () => {
    const named = [...textOf("SKILL.md").matchAll(/`([\w.-]*\/?[\w./-]+\.[a-z]+|\/[\w/]+)`/gi)].map(
      ([, path = ""]) => path,
    );
    expect(new Set(named)).toEqual(
      new Set([
        "SKILL.md",
        ...PROOFS.map(([path]) => path),
        "references/../assets/fixture.json",
        ...REFUSALS.map(([path]) => path),
      ]),
    );
    const missing = named.filter((path) => path.startsWith("/") || !existsSync(join(FOLDER, path)));
    expect(new Set(missing)).toEqual(new Set(REFUSALS.map(([path]) => path)));
  });

  test("quotes each refusal as the library writes it", () => {
    for (const [path, sentence] of REFUSALS) expect(textOf("SKILL.md")).toContain(`| \`${path}\` | ${sentence} |`);
  });
});

describe("step 1: activation", () => {
  test("returns the instructions in a wrapper that names the skill, with its files", async () => {
    const { text, files, frontmatter, truncated } = await (await openSession()).activate(NAME);
    expect(text.startsWith(`<skill_content name="${NAME}">\n`)).toBe(true);
    expect(text.endsWith("</skill_content>")).toBe(true);
    expect(text).toContain(SKILL_MARKER);
    expect(new Set(files)).toEqual(new Set(PROOFS.map(([path]) => path)));
    for (const path of files) expect(text).toContain(`<file>${path}</file>`);
    expect(text).not.toContain(ROOT);
    expect(frontmatter).toMatchObject({ name: NAME, license: "Apache-2.0" });
    expect(truncated).toBe(false);
  });

  test("is the same through activate_skill", async () => {
    const { text, ...data } = await (await openSession()).activate(NAME);
    expect(await operate(await openSession(), "activate_skill", { name: NAME })).toEqual({
      isError: false,
      text,
      data,
    });
  });

  test("by a user fills in the arguments after the name", async () => {
    const session = await openSession();
    const [invocation] = parseInvocations(`/${NAME} before the release`, session.skillset);
    expect(invocation?.skill.name).toBe(NAME);
    const { text } = await session.activate(NAME, { by: "user", arguments: invocation?.arguments ?? "" });
    expect(text).toContain("by its name: before the release\n");
    expect(session.active).toEqual([NAME]);
  });
});

describe("steps 2, 3 and 5: reading", () => {
  test.each(PROOFS)("%s contains its marker and its word", async (path, marker, word) => {
    const { content, truncated } = await (await openSession()).files(NAME).read(path);
    expect({ content, truncated }).toEqual({ content: textOf(path), truncated: false });
    expect(content).toContain(marker);
    expect(content).toContain(word);
  });

  test.each(PROOFS)("%s is the same through read_skill_file", async (path) => {
    const result = await operate(await openSession(), "read_skill_file", { skill: NAME, path });
    expect(result).toMatchObject({ isError: false, text: textOf(path), data: { content: textOf(path) } });
  });

  test("the asset is JSON", () => {
    expect(JSON.parse(textOf("assets/fixture.json"))).toMatchObject({ marker: PROOFS[1][1], colour: PROOFS[1][2] });
  });
});

describe("step 4: paths outside the skill", () => {
  test.each(REFUSALS)("%s is refused: %s", async (path, sentence) => {
    const folder = temporaryFolder();
    cpSync(FOLDER, join(folder, ".skills", NAME), { recursive: true });
    writeFileSync(join(folder, ".skills", "outside.txt"), "secret");
    const session = await openSession(folder);
    await expect(session.files(NAME).read(path)).rejects.toMatchObject({ code: "resource-outside-skill" });
    const result = await operate(session, "read_skill_file", { skill: NAME, path });
    expect(result).toEqual({ isError: true, text: expect.stringContaining(sentence), code: "resource-outside-skill" });
    expect(result.text).not.toContain("secret");
    expect(result.text).not.toContain(folder);
    expect(session.ledger.entries.map(({ type }) => type)).toEqual(["operation-failed", "operation-failed"]);
  });

  test("a path that only seems to leave the skill is read", async () => {
    const { content } = await (await openSession()).files(NAME).read("references/../assets/fixture.json");
    expect(content).toBe(textOf("assets/fixture.json"));
  });
});

describe("step 6: the script", () => {
  test("prints the documented output when run", () => {
    const output = execFileSync(join(FOLDER, "scripts/echo.sh"), ["one", "two words"], { encoding: "utf8" });
    expect(output).toBe("SSV-MARKER-SCRIPT-19da74\n1: one\n2: two words\n");
    expect(textOf("SKILL.md")).toContain(`\`\`\`\n${output}\`\`\``);
  });

  test("is not run by any of these operations", async () => {
    const folder = temporaryFolder();
    const skill = join(folder, ".skills", NAME);
    cpSync(FOLDER, skill, { recursive: true });
    writeFileSync(join(skill, "scripts/echo.sh"), `#!/bin/sh\ntouch '${join(folder, "was-run")}'\n`);
    const session = await openSession(folder);
    await session.activate(NAME);
    await session.files(NAME).read("scripts/echo.sh");
    await session.files(NAME).list();
    for (const tool of ["echo", "scripts/echo.sh"])
      expect(await operate(session, "call_skill_tool", { skill: NAME, tool, input: {} })).toMatchObject({
        isError: true,
        code: "tool-not-found",
        text: expect.stringContaining("has no tools"),
      });
    expect(createOperations(session).map(({ name }) => name)).toEqual([
      "activate_skill",
      "read_skill_file",
      "call_skill_tool",
    ]);
    expect(readdirSync(folder)).toEqual([".skills"]);
    // Control: a run would have been noticed.
    execFileSync(join(skill, "scripts/echo.sh"));
    expect(readdirSync(folder)).toEqual([".skills", "was-run"]);
  });
});

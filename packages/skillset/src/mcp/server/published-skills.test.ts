import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { SKILL_LIMITS, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { SkillError } from "../../core/base/errors.ts";
import type { Problem } from "../../core/base/problem.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { FolderFiles } from "../../node/skill-folder/folder-files.ts";
import { createSkillsServer, type SkillsServerOptions } from "./skills-server.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
const PDF = {
  "pdf/SKILL.md": skillMd("pdf", "Reads PDFs."),
  "pdf/logo.png": PNG,
  "pdf/empty.txt": "",
  "pdf/bom.txt": "\ufeffwith a mark",
  "pdf/lines.txt": "one\r\ntwo",
  "pdf/references/a.md": "A",
  "pdf/references/more/b c#?%.md": "B",
  "pdf/références/é.md": "É",
};

/** A server for a skillset, and a client of the extension. */
async function connect(skillset: Skillset, options: SkillsServerOptions = {}, mode: "auto" | "legacy" = "auto") {
  const problems: Problem[] = [];
  const server = createSkillsServer(skillset, { onProblem: (problem) => problems.push(problem), ...options });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(near);
  onTestFinished(() => server.close());
  return { server, client, skills: new SkillsClient(client), problems };
}

async function publish(files: Readonly<Record<string, string | Uint8Array>>, options?: SkillsServerOptions) {
  const root = temporaryFolder(files);
  const skillset = await createSkillset([root]);
  return { root, skillset, ...(await connect(skillset, options)) };
}

const code = defineSkill({
  name: "code",
  description: "Is defined in code.",
  body: "# Code",
  metadata: { team: "x" },
  tools: [{ name: "count", description: "Counts", inputSchema: { type: "object" }, handler: () => 1 }],
});

describe.each(["auto", "legacy"] as const)("through the Skills extension, a client that negotiates '%s'", (mode) => {
  test("lists skills in complete pages, and gets each by its URI", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `skill-${index}`);
    const skillset = await createSkillset(names.map((name) => defineSkill({ name, description: "D.", body: "# B" })));
    const { skills } = await connect(skillset, { pageSize: 10 }, mode);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const all = await skills.list();
    expect(all.skills.map(({ uri }) => uri)).toEqual(names.toSorted().map((name) => `skill://${name}/SKILL.md`));
    const page = await skills.list({ cursor: "after:skill-17" });
    expect(page.skills).toHaveLength(10);
    expect(page.nextCursor).toBe("after:skill-4");
    for (const entry of all.skills) expect((await skills.get(entry.uri)).skill).toEqual(entry);
    const respelt = (all.skills[0]?.uri ?? "").replace(
      /^skill:\/\/(.)/,
      (_, first) => `skill://%${first.charCodeAt(0).toString(16)}`,
    );
    await expect(skills.get(respelt)).rejects.toMatchObject({ code: -32602 });
  });

  test("reads and verifies every file, including binary ones", async () => {
    const skillset = await createSkillset([temporaryFolder(PDF), code]);
    const { skills } = await connect(skillset, {}, mode);
    const read = new Map<string, Uint8Array>();
    for (const entry of (await skills.list()).skills) {
      if (entry.resources === "dynamic") throw new Error("not verified");
      for (const { uri } of entry.resources) {
        const file = await skills.read(entry, uri);
        expect(file.verified).toBe(true);
        read.set(decodeURIComponent(uri.slice("skill://".length)), file.bytes);
      }
    }
    const expected = Object.entries(PDF).map(([path, content]) => [path, Buffer.from(content as string)] as const);
    expect([...read.keys()].toSorted()).toEqual([...expected.map(([path]) => path), "code/SKILL.md"].toSorted());
    for (const [path, content] of expected) expect(Buffer.from(read.get(path) ?? [])).toEqual(content);
  });

  test("gets the media type of a file, and text as text", async () => {
    const { skills } = await connect(await createSkillset([temporaryFolder(PDF)]), {}, mode);
    const { skill: entry } = await skills.get("skill://pdf/SKILL.md");
    expect(await skills.read(entry, "logo.png")).toMatchObject({ mimeType: "image/png" });
    expect((await skills.read(entry, "logo.png")).text).toBeUndefined();
    expect(await skills.read(entry, "bom.txt")).toMatchObject({ mimeType: "text/plain", text: "\ufeffwith a mark" });
    expect(await skills.read(entry)).toMatchObject({ frontmatter: { name: "pdf", description: "Reads PDFs." } });
  });

  test("lists the folders of a skill", async () => {
    const { skills } = await connect(await createSkillset([temporaryFolder(PDF)]), {}, mode);
    const names = async (uri: string) =>
      (await skills.readDirectory(uri)).resources.map(({ name, mimeType }) =>
        mimeType === "inode/directory" ? `${name}/` : name,
      );
    const top = ["SKILL.md", "bom.txt", "empty.txt", "lines.txt", "logo.png", "références/", "references/"];
    expect(await names("skill://pdf")).toEqual(top);
    expect(await names("skill://pdf/")).toEqual(top);
    expect(await names("skill://pdf/references")).toEqual(["a.md", "more/"]);
    expect(await names("skill://pdf/references/more")).toEqual(["b c#?%.md"]);
    expect(await names("skill://pdf/r%C3%A9f%C3%A9rences")).toEqual(["é.md"]);
  });
});

test("a folder with more files than a page is listed completely", async () => {
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`big/data/${index}.txt`, ""]));
  const { skills } = await publish({ "big/SKILL.md": skillMd("big"), ...files });
  expect((await skills.readDirectory("skill://big/data")).resources).toHaveLength(250);
});

test("a skill in code is published with the documentation of its tools", async () => {
  const { skills } = await connect(await createSkillset([code]));
  const [entry] = (await skills.list()).skills;
  if (entry === undefined) throw new Error("not published");
  expect(entry.frontmatter).toEqual({ name: "code", description: "Is defined in code.", metadata: { team: "x" } });
  const { body, verified } = await skills.read(entry);
  expect(verified).toBe(true);
  expect(body).toContain('# Code\n\n## Available tools\n\n### count\nCounts\nInput: `{"type":"object"}`');
});

test("the skills are also resources, for clients without the extension", async () => {
  const { client } = await publish(PDF);
  const { resources } = await client.listResources();
  const size = PDF["pdf/SKILL.md"].length;
  expect(resources).toEqual([
    { uri: "skill://pdf/SKILL.md", name: "pdf", description: "Reads PDFs.", mimeType: "text/markdown", size },
  ]);
  const { contents } = await client.readResource({ uri: "skill://pdf/SKILL.md" });
  expect(contents).toMatchObject([{ text: PDF["pdf/SKILL.md"] }]);
});

test("hidden files are not published", async () => {
  const { skills, client } = await publish({ ...PDF, "pdf/.env": "TOKEN=1", "pdf/.cache/x.md": "x", "pdf/a/.b": "" });
  const { skill: entry } = await skills.get("skill://pdf/SKILL.md");
  expect(JSON.stringify(entry)).not.toMatch(/\.env|\.cache|\.b\b/);
  for (const path of [".env", ".cache/x.md", ".cache", "a/.b", "a"]) {
    await expect(client.readResource({ uri: `skill://pdf/${path}` })).rejects.toMatchObject({ code: -32602 });
    await expect(skills.readDirectory(`skill://pdf/${path}`)).rejects.toMatchObject({ code: -32602 });
  }
});

test("a folder may have a different name than its skill, whose name is in the URI", async () => {
  const { skills, problems } = await publish({ "some-folder/SKILL.md": skillMd("other") });
  expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(["skill://other/SKILL.md"]);
  expect(problems).toEqual([]);
});

describe("a skill that the extension rejects is omitted, and a problem reports the reason:", () => {
  const many = Object.fromEntries(Array.from({ length: SKILL_LIMITS.files }, (_, index) => [`bad/${index}.txt`, ""]));
  const half = new Uint8Array(SKILL_LIMITS.bytes / 2);
  const rows: readonly (readonly [what: string, files: Record<string, string | Uint8Array>, reason: RegExp])[] = [
    ["repaired frontmatter", { "bad/SKILL.md": "---\nname: bad\ndescription: Use when: asked\n---\n" }, /quote/],
    ["a name in upper case", { "bad/SKILL.md": skillMd("Bad") }, /lowercase/],
    ["too many files", { "bad/SKILL.md": skillMd("bad"), ...many }, /it has 513 files/],
    [
      "too many bytes",
      { "bad/SKILL.md": skillMd("bad"), "bad/a": half, "bad/b": half },
      /it has 3 files and 167\d{5} bytes/,
    ],
  ];

  test.each(rows)("%s", async (_, files, reason) => {
    const { skills, server, problems, client } = await publish({ ...files, ...PDF });
    expect(server.skillset.size).toBe(2);
    expect(problems).toEqual([]);
    expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(["skill://pdf/SKILL.md"]);
    await skills.list();
    expect(problems).toEqual([
      expect.objectContaining({
        code: "skill-not-published",
        severity: "warning",
        message: expect.stringMatching(reason),
        path: expect.stringMatching(/\/bad\/SKILL\.md$/),
        fix: expect.any(String),
      }),
    ]);
    expect(server.problems).toEqual(problems);
    const [name = ""] = server.skillset.names.filter((one) => one !== "pdf");
    await expect(skills.get(`skill://${name}/SKILL.md`)).rejects.toMatchObject({ code: -32602 });
    const activated = await client.callTool({ name: "activate_skill", arguments: { name } });
    expect(activated.isError).toBeUndefined();
  });

  test("a missing folder", async () => {
    const { skills, problems, root } = await publish({ "bad/SKILL.md": skillMd("bad"), ...PDF });
    expect((await skills.list()).skills).toHaveLength(2);
    rmSync(join(root, "bad"), { recursive: true });
    expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(["skill://pdf/SKILL.md"]);
    expect(problems.map(({ message }) => message)).toEqual([
      "'bad' is not published through the MCP Skills extension: The files of this skill cannot be listed (ENOENT). It is still available through the tools.",
    ]);
    writeFiles(root, { "bad/SKILL.md": skillMd("bad") });
    expect((await skills.list()).skills).toHaveLength(2);
  });

  test("and once it is fixed, it is published and the problem is gone", async () => {
    const { skills, server, root } = await publish({ "bad/SKILL.md": skillMd("bad"), "bad/a": half, "bad/b": half });
    expect((await skills.list()).skills).toEqual([]);
    expect(server.problems).toHaveLength(1);
    rmSync(join(root, "bad/b"));
    expect((await skills.list()).skills).toHaveLength(1);
    expect(server.problems).toEqual([]);
  });
});

test("an empty page of omitted skills is followed by the next", async () => {
  const { skills } = await publish({ "a/SKILL.md": skillMd("A"), "b/SKILL.md": skillMd("B"), ...PDF }, { pageSize: 2 });
  expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(["skill://pdf/SKILL.md"]);
});

describe("files are read", () => {
  const spy = () => {
    const read = vi.spyOn(FolderFiles.prototype, "read");
    const list = vi.spyOn(FolderFiles.prototype, "list");
    onTestFinished(() => void vi.restoreAllMocks());
    return { read, list };
  };
  const two = { "a/SKILL.md": skillMd("a"), "a/x.txt": "x", "b/SKILL.md": skillMd("b") };

  test("when a client requests them, one page at a time, and not at the start", async () => {
    const { read, list } = spy();
    const { skills, client } = await publish(two, { pageSize: 1 });
    await client.listTools();
    await client.listPrompts();
    expect([read.mock.calls, list.mock.calls]).toEqual([[], []]);
    const { nextCursor } = await skills.list({ cursor: "after:0" });
    expect(new Set(read.mock.calls.map(([path]) => path))).toEqual(new Set(["SKILL.md", "x.txt"]));
    expect(list).toHaveBeenCalledTimes(1);
    await skills.list({ cursor: nextCursor as string });
    expect(list).toHaveBeenCalledTimes(2);
  });

  test("once, until they change", async () => {
    const { skills, root } = await publish(two);
    const { read } = spy();
    const before = (await skills.get("skill://a/SKILL.md")).skill;
    expect(read).toHaveBeenCalled();
    read.mockClear();
    expect((await skills.get("skill://a/SKILL.md")).skill).toEqual(before);
    expect(read).not.toHaveBeenCalled();
    writeFiles(root, { "a/x.txt": "changed" });
    const after = (await skills.get("skill://a/SKILL.md")).skill;
    expect(read.mock.calls.map(([path]) => path)).toEqual(["x.txt"]);
    expect(after.resources).not.toEqual(before.resources);
    expect(await skills.read(after, "x.txt")).toMatchObject({ text: "changed", verified: true });
    await expect(skills.read(before, "x.txt")).rejects.toMatchObject({ reason: "size" });
  });

  test("again when frontmatter changes, and the entry is updated", async () => {
    const { skills, root } = await publish(two);
    await skills.list();
    writeFiles(root, { "a/SKILL.md": skillMd("a", "Is another.") });
    const { skill: entry } = await skills.get("skill://a/SKILL.md");
    expect(entry.frontmatter.description).toBe("Is another.");
    expect((await skills.read(entry)).verified).toBe(true);
  });
});

test.each(["garbage", "", "after:%", "after", "x".repeat(100_000)])("the cursor '%.20s' is refused", async (cursor) => {
  const { skills } = await publish(PDF);
  await expect(skills.list({ cursor })).rejects.toMatchObject({ code: -32602 });
});

describe("a URI", () => {
  const unknown = [
    "skill://nowhere/SKILL.md",
    "skill://PDF/SKILL.md",
    "skill://user@pdf/SKILL.md",
    "skill://pdf:80/SKILL.md",
    "skill://pdf/SKILL.md?x=1",
    "skill://pdf//SKILL.md",
    "skill://pdf/references/",
    "skill://pdf/%E0%A4%A",
    "skill://__proto__/SKILL.md",
    "skill://constructor/SKILL.md",
    "skill:pdf/SKILL.md",
    "http://pdf/SKILL.md",
    "file:///etc/passwd",
    "pdf/SKILL.md",
    "",
    "skill://",
    "skill://pdf/references",
    "skill://pdf",
  ];
  test.each(unknown)("that names no file is rejected: %s", async (uri) => {
    const { client } = await publish(PDF);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  const leaving = [
    "skill://pdf/../secret.txt",
    "skill://pdf/../../secret.txt",
    "skill://pdf/%2e%2e/secret.txt",
    "skill://pdf/%2E%2E/secret.txt",
    "skill://pdf/.%2e/secret.txt",
    "skill://pdf/..%2fsecret.txt",
    "skill://pdf/..%5csecret.txt",
    "skill://pdf/..\\secret.txt",
    "skill://pdf/references/../../secret.txt",
    "skill://pdf/references%2F..%2F..%2Fsecret.txt",
    "skill://pdf/%252e%252e/secret.txt",
    "skill://pdf/secret.txt%00.md",
    "skill://pdf/\0/../secret.txt",
    "skill://%2e%2e/secret.txt",
    "skill://../secret.txt",
    "skill://pdf%2F..%2F/secret.txt",
    "skill:///secret.txt",
    "skill://pdf/%2Fetc%2Fpasswd",
    "skill://pdf//etc/passwd",
    "skill://pdf/../other/../secret.txt",
  ];
  test.each(leaving)("never leaves its skill: %j", async (uri) => {
    const { client, skills } = await publish({ "secret.txt": "top secret", ...PDF });
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    await expect(skills.readDirectory(uri)).rejects.toMatchObject({ code: -32602 });
    await expect(skills.get(uri)).rejects.toThrow();
  });
});

const words = fc.string({ unit: "grapheme", maxLength: 200 });
const definition = fc.record(
  {
    description: fc.oneof(words, fc.lorem({ maxCount: 40 })),
    body: fc.oneof(words, fc.constantFrom("---\n", "\n\n---\nname: x\n---\n", "\ufeff# x", "a\r\nb\rc"), fc.lorem()),
    metadata: fc.dictionary(words, words, { maxKeys: 3 }),
    license: words,
    compatibility: words,
    allowedTools: fc.array(fc.stringMatching(/^[A-Za-z(:*)]{1,10}$/), { maxLength: 3 }),
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
  },
  { requiredKeys: ["description", "body"] },
);

test("every skill in code is published and verified, or omitted with a problem", async () => {
  const { skills, server } = await connect(await createSkillset([]));
  const seen = { published: 0, leftOut: 0 };
  await fc.assert(
    fc.asyncProperty(definition, async (fields) => {
      let made: ReturnType<typeof defineSkill>;
      try {
        made = defineSkill({ name: "any", ...fields });
      } catch (error) {
        expect(error).toBeInstanceOf(SkillError);
        return fc.pre(false);
      }
      await server.update(await createSkillset([made]));
      const [entry] = (await skills.list()).skills;
      const problems = server.problems.filter((problem) => problem.skill === "any");
      expect(problems).toHaveLength(entry === undefined ? 1 : 0);
      seen[entry === undefined ? "leftOut" : "published"]++;
      if (entry === undefined) return;
      expect(entry.frontmatter.description).toBe(made.description);
      const { verified, body } = await skills.read(entry);
      expect(verified).toBe(true);
      expect(body?.trim()).toBe(made.body.replaceAll("\r\n", "\n").trim());
    }),
    { numRuns: 300 },
  );
  expect(seen.published).toBeGreaterThan(seen.leftOut);
});

test.each([
  ["that leaves the skill", "../secret.txt"],
  ["that leads to a missing file", "nowhere"],
  ["to a private file", ".env"],
])("a skill is published without a link %s", async (_, target) => {
  const files = { "secret.txt": "secret", "pdf/SKILL.md": skillMd("pdf"), "pdf/.env": "secret" };
  const root = temporaryFolder(files);
  symlinkSync(target, join(root, "pdf/out"));
  const { skills, problems, client } = await connect(await createSkillset([root]));
  const uri = "skill://pdf/SKILL.md";
  expect((await skills.list()).skills).toMatchObject([{ uri, resources: [{ uri }] }]);
  expect(problems).toEqual([]);
  await expect(client.readResource({ uri: "skill://pdf/out" })).rejects.toMatchObject({ code: -32602 });
});

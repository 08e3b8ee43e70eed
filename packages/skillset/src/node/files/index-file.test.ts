import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { TimeSlices } from "../../core/base/time-slices.ts";
import { encodeCount } from "../../core/search/posting-numbers.ts";
import { encodeIndex } from "../../core/search/saved-index.ts";
import { TermTable } from "../../core/search/term-table.ts";
import type { Skillset } from "../../core/skillset.ts";
import { createSkillset } from "../load/create-skillset.ts";
import { IndexFile } from "./index-file.ts";

const SKILLS = {
  "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep the green leaves."),
  "skills/coffee/SKILL.md": skillMd("coffee", "Makes coffee.", "Grind the beans."),
  "skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "Look for AcroForm fields."),
};
const QUERIES = ["green leaves", "makes", "beans tea", "acroform", "nothing"];

interface Opened {
  readonly skillset: Skillset;
  readonly messages: string[];
}

async function openIn(cwd: string, indexFile = "index"): Promise<Opened> {
  const messages: string[] = [];
  const onProblem = ({ message }: { message: string }) => void messages.push(message);
  return { skillset: await createSkillset("skills", { cwd, indexFile, onProblem }), messages };
}

async function rankAll(skillset: Skillset) {
  const results = [];
  for (const query of QUERIES) {
    for (const { skill, score, matched } of await skillset.rank(query))
      results.push([query, skill.name, score, matched]);
  }
  return results;
}

/** Ranks once, and waits until the index is in the file. */
async function saveIn(cwd: string): Promise<Uint8Array> {
  const { skillset } = await openIn(cwd);
  await skillset.rank("tea");
  return vi.waitFor(() => readFileSync(join(cwd, "index")));
}

describe("an index file", () => {
  test("is written on the first search, for this user only, without a word of a skill and without other files", async () => {
    const cwd = temporaryFolder(SKILLS);
    const { skillset, messages } = await openIn(cwd);
    expect(readdirSync(cwd)).toEqual(["skills"]);
    await skillset.rank("tea");
    const bytes = await vi.waitFor(() => readFileSync(join(cwd, "index")));
    expect(readdirSync(cwd).toSorted()).toEqual(["index", "skills"]);
    expect(statSync(join(cwd, "index")).mode & 0o777).toBe(0o600);
    for (const word of ["tea", "coffee", "pdf", "steep", "acroform"]) expect(bytes.includes(word)).toBe(false);
    expect(messages).toEqual([]);
  });

  test("ranks as an index that is built does, and is not written again", async () => {
    const cwd = temporaryFolder(SKILLS);
    const built = await rankAll(await createSkillset("skills", { cwd }));
    await saveIn(cwd);
    const { ino } = statSync(join(cwd, "index"));
    const { skillset, messages } = await openIn(cwd);
    expect(await rankAll(skillset)).toEqual(built);
    expect(statSync(join(cwd, "index")).ino).toBe(ino);
    expect(messages).toEqual([]);
  });

  test("does not hide that a skill has changed, is new or is gone", async () => {
    const cwd = temporaryFolder(SKILLS);
    await saveIn(cwd);
    writeFiles(cwd, {
      "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Boil water."),
      "skills/cocoa/SKILL.md": skillMd("cocoa", "Makes cocoa.", "Warm the milk."),
    });
    const { skillset } = await openIn(cwd);
    const fresh = await createSkillset("skills", { cwd });
    expect(await rankAll(skillset)).toEqual(await rankAll(fresh));
    expect(await skillset.rank("green leaves")).toEqual([]);
    expect(await skillset.rank("warm milk")).toHaveLength(1);
    expect(await skillset.filter({ disabled: ["pdf"] }).rank("acroform")).toEqual([]);
  });

  test("is followed by a reload, which indexes only what changed", async () => {
    const cwd = temporaryFolder(SKILLS);
    await saveIn(cwd);
    const { skillset } = await openIn(cwd);
    await skillset.rank("tea");
    writeFiles(cwd, { "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Boil the water.") });
    const reloaded = (await skillset.reload()).skillset;
    expect(await rankAll(reloaded)).toEqual(await rankAll(await createSkillset("skills", { cwd })));
    expect(await reloaded.rank("water")).toHaveLength(1);
    expect(await skillset.rank("green")).toHaveLength(1);
  });
});

describe("an index file that cannot be used", () => {
  async function expectRebuilt(content: Uint8Array, reason: RegExp) {
    const saved = await saveIn(temporaryFolder(SKILLS));
    const cwd = temporaryFolder(SKILLS);
    writeFileSync(join(cwd, "index"), content);
    const { skillset, messages } = await openIn(cwd);
    expect(await rankAll(skillset)).toEqual(await rankAll(await createSkillset("skills", { cwd })));
    expect(messages).toEqual([expect.stringMatching(reason)]);
    const isReplaced = () => {
      const bytes = readFileSync(join(cwd, "index"));
      expect(bytes).toHaveLength(saved.length);
      expect(bytes.equals(content)).toBe(false);
    };
    await vi.waitFor(isReplaced);
    const next = await openIn(cwd);
    await next.skillset.rank("tea");
    expect(next.messages).toEqual([]);
  }

  test.each([
    ["is cut off in the middle", (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2), /damaged/],
    ["has only its first line", (bytes: Uint8Array) => bytes.subarray(0, 20), /not complete/],
    ["is empty", () => new Uint8Array(), /not complete/],
    ["has one changed byte", (bytes: Uint8Array) => bytes.with(bytes.length - 9, 77), /damaged/],
    ["has more bytes at its end", (bytes: Uint8Array) => new Uint8Array([...bytes, 1, 2, 3, 4]), /damaged/],
  ])("because it %s is reported once, and replaced", async (_, change, reason) => {
    await expectRebuilt(change(await saveIn(temporaryFolder(SKILLS))), reason);
  });

  test("because it is from another version is reported, and replaced", async () => {
    const cwd = temporaryFolder(SKILLS);
    await new IndexFile(join(cwd, "other"), () => {}).write([new Uint8Array(100)]);
    await expectRebuilt(readFileSync(join(cwd, "other")), /not an index of this version of skillset/);
  });

  test.each([
    ["is a text", "# Notes\n\nTo be kept.\n"],
    ["is nearly an index", "skillset indexes"],
  ])("because it %s is reported, and never replaced", async (_, content) => {
    const cwd = temporaryFolder({ ...SKILLS, index: content });
    const { skillset, messages } = await openIn(cwd);
    expect(await rankAll(skillset)).not.toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(messages).toEqual([expect.stringContaining("is not an index file. It is not used, and not replaced.")]);
    expect(readFileSync(join(cwd, "index"), "utf8")).toBe(content);
  });

  test("because it is a folder, or in no folder, is reported, and searches work", async () => {
    const cwd = temporaryFolder(SKILLS);
    mkdirSync(join(cwd, "index"));
    for (const file of ["index", "nowhere/index"]) {
      const { skillset, messages } = await openIn(cwd, file);
      expect(await skillset.rank("tea")).toHaveLength(1);
      await vi.waitFor(() => expect(messages).toHaveLength(1));
    }
  });

  test("because it is too large is reported, and replaced", async () => {
    const saved = await saveIn(temporaryFolder(SKILLS));
    const cwd = temporaryFolder(SKILLS);
    writeFileSync(join(cwd, "index"), saved);
    truncateSync(join(cwd, "index"), LIMITS.hard.indexFile + 1);
    const { skillset, messages } = await openIn(cwd);
    expect(await skillset.rank("tea")).toHaveLength(1);
    expect(messages).toEqual([expect.stringContaining("it has more than 268435456 bytes")]);
    await vi.waitFor(() => expect(statSync(join(cwd, "index")).size).toBe(saved.length));
  });

  test("because it is a large file of another kind is reported, and not replaced", async () => {
    const cwd = temporaryFolder({ ...SKILLS, index: "SQLite format 3" });
    truncateSync(join(cwd, "index"), LIMITS.hard.indexFile + 1);
    const { skillset, messages } = await openIn(cwd);
    expect(await skillset.rank("tea")).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(messages).toEqual([expect.stringContaining("is not an index file. It is not used, and not replaced.")]);
    expect(statSync(join(cwd, "index")).size).toBe(LIMITS.hard.indexFile + 1);
  });

  test("because it cannot be read is reported, and not replaced", async () => {
    const cwd = temporaryFolder(SKILLS);
    symlinkSync("index", join(cwd, "index"));
    const { skillset, messages } = await openIn(cwd);
    expect(await skillset.rank("tea")).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(messages).toEqual([
      expect.stringMatching(/cannot be read \(ELOOP.*\)\. It is not used, and not replaced\./),
    ]);
    expect(lstatSync(join(cwd, "index")).isSymbolicLink()).toBe(true);
  });

  test("is replaced even if it is a link, whose target stays", async () => {
    const saved = await saveIn(temporaryFolder(SKILLS));
    const cwd = temporaryFolder({ ...SKILLS, target: "" });
    symlinkSync("target", join(cwd, "index"));
    const { skillset } = await openIn(cwd);
    await skillset.rank("tea");
    await vi.waitFor(() => expect(readFileSync(join(cwd, "index"))).toHaveLength(saved.length));
    expect(readFileSync(join(cwd, "target"))).toHaveLength(0);
  });

  test("never stops a search or changes what skills contain, whatever its bytes are", async () => {
    const payload = (await saveIn(temporaryFolder(SKILLS))).subarray(48);
    const cwd = temporaryFolder(SKILLS);
    const patch = fc.record({ at: fc.nat(payload.length - 1), value: fc.nat(255) });
    const cut = fc.oneof(fc.constant(payload.length), fc.nat(payload.length));
    let files = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(patch, { maxLength: 5 }), cut, async (patches, length) => {
        const content = payload.slice(0, length);
        for (const { at, value } of patches) if (at < length) content[at] = value;
        // The checksum is right: somebody forged the file.
        const file = `index-${++files}`;
        await new IndexFile(join(cwd, file), () => {}).write([content]);
        const { skillset } = await openIn(cwd, file);
        for (const query of QUERIES) {
          for (const { skill, score } of await skillset.rank(query)) {
            expect(skillset.get(skill.name)).toBe(skill);
            expect(score).toBeGreaterThan(0);
          }
        }
        expect(await skillset.get("tea")?.instructions()).toBe("Steep the green leaves.");
      }),
      { numRuns: 150 },
    );
  });

  test("is damaged if its hashes all belong to one slot, as only a forger writes them", async () => {
    const cwd = temporaryFolder(SKILLS);
    const count = 200_000;
    const lows = Int32Array.from({ length: count }, (_, at) => at);
    const forged = { size: count, hashes: () => ({ lows, highs: lows.map((low) => low ^ (low >>> 15)) }) };
    const segment = {
      size: 1,
      terms: forged as unknown as TermTable,
      starts: Uint32Array.from({ length: count + 1 }, (_, at) => at),
      documents: new Uint16Array(count),
      counts: new Uint16Array(count).fill(encodeCount(1)),
    };
    const digests = [`sha256:${"ab".repeat(32)}`];
    const pieces = await encodeIndex({ seed: { low: 1, high: 2 }, segment, digests }, new TimeSlices());
    await new IndexFile(join(cwd, "index"), () => {}).write(pieces);
    const { skillset, messages } = await openIn(cwd);
    expect(await skillset.rank("tea")).toHaveLength(1);
    expect(messages).toEqual([expect.stringContaining("its content is damaged")]);
  });

  test("cannot name a skill that is not loaded", async () => {
    const cwd = temporaryFolder(SKILLS);
    const terms = new TermTable();
    terms.add(1, 2);
    const segment = {
      size: 1,
      terms,
      starts: Uint32Array.of(0, 1),
      documents: Uint16Array.of(0),
      counts: Uint16Array.of(encodeCount(9)),
    };
    const digests = [`sha256:${"ab".repeat(32)}`];
    const pieces = await encodeIndex({ seed: { low: 1, high: 2 }, segment, digests }, new TimeSlices());
    await new IndexFile(join(cwd, "index"), () => {}).write(pieces);
    const { skillset, messages } = await openIn(cwd);
    expect(await rankAll(skillset)).toEqual(await rankAll(await createSkillset("skills", { cwd })));
    expect(messages).toEqual([]);
  });
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder that cannot be written to is reported, and searches work",
  async () => {
    const cwd = temporaryFolder({ ...SKILLS, "kept/x": "" });
    chmodSync(join(cwd, "kept"), 0o500);
    const { skillset, messages } = await openIn(cwd, "kept/index");
    expect(await skillset.rank("tea")).toHaveLength(1);
    await vi.waitFor(() => expect(messages).toEqual([expect.stringContaining("is not written")]));
  },
);

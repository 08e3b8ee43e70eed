import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { SkillSource, SourceEntry } from "../../core/source/source.ts";
import { installSkills } from "../install/install-skills.ts";
import { toInstallItems } from "../install/native-skills.ts";
import { createSkillset } from "./create-skillset.ts";

const TEA: SourceEntry = {
  folder: "drinks/tea",
  skillMd: skillMd("tea"),
  files: [{ path: "references/kinds.md", size: 5 }],
};
const inCode = defineSkill({ name: "coffee", description: "Makes coffee.", body: "# Coffee" });

/** A source with one skill, and whatever is different about it. */
function sourceOf(change: Partial<SkillSource> = {}): SkillSource {
  return { name: "registry acme", list: async () => [TEA], read: async () => "Green", ...change };
}

/** A source that returns this as its listing, whatever its type. */
const listing = (entries: unknown): SkillSource => sourceOf({ list: async () => entries as never });

describe("a source beside folders and skills in code", () => {
  test("its skills are used like any other, in order of precedence", async () => {
    const folder = temporaryFolder({ "tea/SKILL.md": skillMd("tea"), "milk/SKILL.md": skillMd("milk") });
    const skills = await createSkillset([sourceOf(), folder, inCode]);
    expect(skills.names).toEqual(["tea", "milk", "coffee"]);
    expect(skills.collisions).toMatchObject([{ name: "tea", winner: { provider: "registry acme" } }]);
    expect(skills.get("tea")?.origin).toEqual({ kind: "source", source: "registry acme", folder: "drinks/tea" });
    expect(await skills.rank("tea", { limit: 1 })).toMatchObject([{ skill: { name: "tea" } }]);
  });

  test("models see where its skills come from", async () => {
    const skills = await createSkillset(sourceOf());
    expect(skills.catalog().text).toContain("<origin>registry acme</origin>");
    const { text } = await (await skills.session()).activate("tea");
    expect(text).toContain("These instructions come from registry acme, not from the user.");
  });

  test("its skills are installed with their files", async () => {
    const target = join(temporaryFolder(), "skills");
    const [folder = ""] = await installSkills(target, await toInstallItems(sourceOf()));
    expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toBe(TEA.skillMd);
    expect(readFileSync(join(folder, "references/kinds.md"), "utf8")).toBe("Green");
  });
});

test.each([
  ["fails", sourceOf({ list: () => Promise.reject(new Error("Offline.")) }), "Offline."],
  ["has no skill", sourceOf({ list: async () => [] }), "No skill at registry acme"],
  ["has an invalid skill", listing([{ folder: "a", skillMd: "" }]), "registry acme/a/SKILL.md"],
])("installing from a source that %s is an error", async (_, source, message) => {
  await expect(toInstallItems(source)).rejects.toThrow(message);
});

describe("a reload", () => {
  test("lists again only when the fingerprint changed, and unchanged skills stay the same objects", async () => {
    let version = "1";
    const list = vi.fn(async () => [TEA]);
    const first = await createSkillset(sourceOf({ list, fingerprint: async () => version }));
    const second = (await first.reload()).skillset;
    expect(list).toHaveBeenCalledTimes(1);
    version = "2";
    const third = (await second.reload()).skillset;
    expect(list).toHaveBeenCalledTimes(2);
    expect([second.get("tea"), third.get("tea")]).toEqual([first.get("tea"), first.get("tea")]);
    expect(third.get("tea")).toBe(first.get("tea"));
  });

  test("notices a file that was written, by its stamp", async () => {
    let stamp = "1";
    const source = sourceOf({ list: async () => [{ ...TEA, files: [{ path: "a.md", size: 5, stamp }] }] });
    const skills = await createSkillset(source);
    stamp = "2";
    expect((await skills.reload()).changes.changed).toEqual(["tea"]);
  });
});

describe("abort", () => {
  const never = (): Promise<never> => new Promise(() => {});

  test.each([
    ["list", sourceOf({ list: never })],
    ["fingerprint", sourceOf({ fingerprint: never })],
  ])("ends a load whose source never answers %s()", async (_, source) => {
    const controller = new AbortController();
    const loading = createSkillset([source, inCode], { signal: controller.signal });
    controller.abort(new Error("Enough."));
    await expect(loading).rejects.toThrow("Enough.");
  });

  test("ends the read of a file that never arrives", async () => {
    const skills = await createSkillset(sourceOf({ read: never }));
    const controller = new AbortController();
    const reading = skills.get("tea")?.files.read("references/kinds.md", { signal: controller.signal });
    controller.abort(new Error("Enough."));
    await expect(reading).rejects.toThrow("Enough.");
  });

  test("reaches the source as its signal", async () => {
    const list = vi.fn(async () => [TEA]);
    const { signal } = new AbortController();
    await createSkillset(sourceOf({ list }), { signal });
    expect(list).toHaveBeenCalledWith({ signal });
  });
});

describe("what a source returns is checked", () => {
  test.each([
    ["no list", "nothing", ["source-unreadable"]],
    ["an entry that is null", [null, TEA], ["skill-not-imported"]],
    ["an entry without a folder", [{ skillMd: "" }, TEA], ["skill-not-imported"]],
    ["two skills of one folder", [TEA, { ...TEA, folder: "./drinks//tea" }], ["skill-not-imported"]],
    ["no SKILL.md", [TEA, { folder: "a" }], ["skill-md-unreadable"]],
    ["a lone surrogate", [TEA, { folder: "a", skillMd: `${skillMd("a")}\ud800` }], ["encoding-not-utf8"]],
    ["files that are no list", [{ ...TEA, files: 7 }], []],
    ["a size below zero", [{ ...TEA, files: [{ path: "a.md", size: -1 }] }], ["file-refused"]],
    ["SKILL.md among the files", [{ ...TEA, files: [{ path: "SKILL.md", size: 1 }] }], []],
    [
      "more bytes than a skill may have",
      [TEA, { ...TEA, folder: "large", files: [{ path: "a.bin", size: LIMITS.hard.skill + 1 }] }],
      ["skill-too-large"],
    ],
  ])("%s", async (_, entries, codes) => {
    const skills = await createSkillset([listing(entries), inCode], { collisions: "last" });
    expect(skills.problems.map(({ code }) => code).filter((code) => code !== "name-folder-mismatch")).toEqual(codes);
    expect(skills.names).toContain("coffee");
    if (Array.isArray(entries)) expect(skills.names).toContain("tea");
  });

  test("a size that was wrong does not let a larger file through", async () => {
    const skills = await createSkillset(sourceOf({ read: async () => new Uint8Array(LIMITS.hard.file + 1) }));
    const tea = skills.get("tea");
    await expect(tea?.files.read("references/kinds.md")).rejects.toMatchObject({ code: "resource-too-large" });
    await expect(tea?.digest()).rejects.toMatchObject({ code: "resource-too-large" });
  });

  test("a source is never asked for a file that it did not list", async () => {
    const read = vi.fn(async () => "secret");
    const skills = await createSkillset(sourceOf({ read }));
    for (const path of ["other.md", "references", "../x", "/x"])
      await expect(skills.get("tea")?.files.read(path)).rejects.toMatchObject({ name: "SkillError" });
    expect(read).not.toHaveBeenCalled();
  });

  test("a model gets a message without the source's error, which only the operator sees", async () => {
    const cause = new Error("connect ECONNREFUSED 10.0.0.7:5432 as admin");
    const session = await (await createSkillset(sourceOf({ read: () => Promise.reject(cause) }))).session();
    const failure = await session
      .files("tea")
      .read("references/kinds.md")
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "resource-not-found", cause });
    expect((failure as Error).message).toBe("'references/kinds.md' cannot be read: its source failed.");
  });

  test.each(["", " ", "a\nb", "<b>", "x".repeat(101), "hid\u200bden"])("the name %o is refused", async (name) => {
    await expect(createSkillset(sourceOf({ name }))).rejects.toMatchObject({ code: "option-invalid" });
  });
});

test.each<[string, (skills: Skillset) => Skillset | Promise<Skillset>]>([
  ["itself", (skills) => skills],
  ["in a skillset inside another", (skills) => createSkillset([inCode, skills])],
  [
    "in a filtered skillset inside others",
    async (skills) => createSkillset([await createSkillset([skills.filter({ disabled: ["tea"] })])]),
  ],
])("a source that cannot be watched is reported, and the others are watched: %s", async (_, put) => {
  let change = (): void => {};
  let entries = [TEA];
  const followed = sourceOf({
    name: "followed",
    list: async () => entries,
    watch: (onChange) => {
      change = onChange;
      return { close: () => {} };
    },
  });
  const failing = sourceOf({
    name: "failing",
    list: async () => [],
    watch: () => {
      throw new Error("Cannot be watched.");
    },
  });
  const onError = vi.fn();
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const skills = await put(await createSkillset([failing, followed]));
  const watcher = skills.watch(({ changes }) => resolve(changes.added), { debounce: 5, onError });
  await watcher.ready;
  entries = [TEA, { folder: "milk", skillMd: skillMd("milk") }];
  change();
  expect(await promise).toEqual(["milk"]);
  await watcher.close();
  expect(onError.mock.calls).toEqual([[new Error("Cannot be watched.")]]);
});

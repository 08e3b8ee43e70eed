import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { LedgerEntry } from "./ledger.ts";
import { usageOf } from "./usage.ts";

const invoices = defineSkill({
  name: "invoices",
  description: "Explains invoices.",
  body: "Use `find`.",
  tools: [
    { name: "find", description: "Finds one", handler: () => 7 },
    { name: "fail", description: "Fails", handler: () => Promise.reject(new Error("no")) },
  ],
});
const hidden = defineSkill({
  name: "hidden",
  description: "For people.",
  body: "Steps.",
  disableModelInvocation: true,
});

async function open() {
  const root = temporaryFolder({
    "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "# PDF\n"),
    "pdf/references/a.md": "Reference text",
  });
  return (await createSkillset([root, invoices, hidden])).session({ countTokens: (text) => text.length });
}

describe("the usage of a session", () => {
  test("counts how often each skill was listed, activated, read and called, and what it cost", async () => {
    const session = await open();
    await session.turn([]);
    const first = await session.activate("pdf");
    const { tools } = await session.turn([{ role: "tool", text: first.text }]);
    const again = (await tools[0]?.execute({ name: "pdf" })) ?? { text: "" };
    await session.files("pdf").read("references/a.md");
    await session.files("pdf").list();
    await session.call("invoices", "find", {});
    const unused = { offered: 0, activated: 0, read: 0, called: 0, ran: 0, failed: 0, tokens: 0 };
    expect(usageOf(session.ledger.entries)).toEqual([
      {
        ...unused,
        skill: "pdf",
        offered: 2,
        activated: 2,
        read: 1,
        tokens: first.text.length + again.text.length,
        lastUsed: expect.any(Number),
      },
      { ...unused, skill: "invoices", offered: 2, called: 1, lastUsed: expect.any(Number) },
    ]);
  });

  test("counts what failed, and a tool that failed as called too", async () => {
    const session = await open();
    await session
      .files("pdf")
      .read("references/b.md")
      .catch(() => {});
    await session.call("invoices", "fail", {}).catch(() => {});
    await session.call("invoices", "made-up", {}).catch(() => {});
    expect(usageOf(session.ledger.entries)).toMatchObject([
      { skill: "pdf", read: 0, failed: 1 },
      { skill: "invoices", called: 1, failed: 2 },
    ]);
  });

  test("counts the scripts that ran, and not those that were refused", () => {
    const script = { type: "script-run", skill: "pdf", script: "a.sh", level: "none", milliseconds: 1 } as const;
    const entries: LedgerEntry[] = [
      { ...script, at: 1, outcome: "exited", exitCode: 1 },
      { ...script, at: 2, outcome: "timed-out", exitCode: undefined },
      { ...script, at: 3, outcome: "refused", exitCode: undefined },
    ];
    expect(usageOf(entries)).toMatchObject([{ skill: "pdf", ran: 2, lastUsed: 2 }]);
  });

  test("reports when a skill was last used; being listed, rejected or removed does not count", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
    try {
      const session = await open();
      await session.turn([]);
      await session
        .files("pdf")
        .read("references/b.md")
        .catch(() => {});
      expect(usageOf(session.ledger.entries).map(({ lastUsed }) => lastUsed)).toEqual([undefined, undefined]);
      vi.setSystemTime(2_000);
      await session.activate("pdf");
      vi.setSystemTime(3_000);
      await session.deactivate("pdf");
      await session.turn([]);
      await session
        .files("pdf")
        .read("references/b.md")
        .catch(() => {});
      expect(usageOf(session.ledger.entries)).toMatchObject([{ skill: "pdf", lastUsed: 2_000 }, { skill: "invoices" }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("has a skill that only people may invoke once they do", async () => {
    const session = await open();
    await session.turn([]);
    expect(usageOf(session.ledger.entries).map((usage) => usage.skill)).toEqual(["pdf", "invoices"]);
    await session.activate("hidden", { by: "user" });
    expect(usageOf(session.ledger.entries)).toMatchObject([{}, {}, { skill: "hidden", offered: 0, activated: 1 }]);
  });

  test("is empty before anything happened, and is of this session only", async () => {
    const session = await open();
    const other = await session.skillset.session();
    await session.activate("pdf");
    expect(usageOf(other.ledger.entries)).toEqual([]);
  });
});

test("usage leaves out events that are not use", () => {
  const entries: LedgerEntry[] = [
    { at: 1, type: "skill-missing", skill: "gone" },
    { at: 2, type: "skill-changed", skill: "pdf", digest: "sha256:0" },
    { at: 3, type: "skill-deactivated", skill: "pdf" },
    { at: 4, type: "content-truncated", skill: "pdf", path: "SKILL.md", bytes: 2, limit: 1 },
  ];
  expect(usageOf(entries)).toEqual([]);
});

test("a name that a model made up is not counted", async () => {
  const session = await (await createSkillset([])).session();
  await expect(session.activate("made-up")).rejects.toMatchObject({ code: "skill-not-found" });
  expect(usageOf(session.ledger.entries)).toEqual([]);
});

test("a session instead of its ledger is refused", async () => {
  const session = await open();
  expect(() => usageOf(session as never)).toThrow("usageOf() takes 'session.ledger.entries', not a session.");
});

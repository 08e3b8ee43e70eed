import { PassThrough } from "node:stream";
import type { PermissionOption, ToolKind } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { decide } from "../../packages/skillset/src/acp/options/permissions.ts";
import { TOOL_KINDS } from "../../packages/skillset/src/acp/options/tool-kinds.ts";
import type { ThinkOutput } from "../../packages/skillset/src/cli/commands/think/think-output.ts";
import { createAsk } from "../../packages/skillset/src/cli/commands/think/think-permissions.ts";
import type { Io } from "../../packages/skillset/src/cli/terminal/io.ts";
import { clip, printable } from "../../packages/skillset/src/cli/terminal/printable.ts";
import { compileNameGlob } from "../../packages/skillset/src/core/text/name-glob.ts";
import { report } from "./report.ts";

const EVIL = "rm -rf ~";

/** Titles that start like a harmless command, and contain or hide another one. */
const TITLES: readonly string[] = [
  `git status; ${EVIL}`,
  `git status && ${EVIL}`,
  `git status | ${EVIL}`,
  `git status & ${EVIL}`,
  `git status\n${EVIL}`,
  `git status\r${EVIL}`,
  `git status\r\n${EVIL}`,
  `git log $(${EVIL})`,
  `git log \`${EVIL}\``,
  `git log <(${EVIL})`,
  `git log > ~/.bashrc; ${EVIL}`,
  `git status${" ".repeat(500)}; ${EVIL}`,
  `git status${"\u00A0".repeat(300)}; ${EVIL}`,
  `git status${"\n".repeat(60)}${EVIL}`,
  `git log ${"--stat ".repeat(40)}; ${EVIL}`,
  `git status\u001B[8m; ${EVIL}\u001B[0m`,
  `git status\u0007\u001B]0;title\u0007; ${EVIL}`,
  `git status\u001B[2K\u001B[1G${EVIL}`,
  `git status \u202E~ fr- mr\u202C; ${EVIL}`,
  `git status\u2028${EVIL}`,
];

const INPUTS: readonly unknown[] = [undefined, { command: "git status" }];
const HOSTILE = TOOL_KINDS.slice(0, 5).flatMap((kind) =>
  TITLES.flatMap((title) => INPUTS.map((input) => ({ kind, title, input }))),
);
const OPTIONS: PermissionOption[] = [
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

/** Returns whether a policy for plain git commands allows it. */
async function isAllowedByPattern({ kind, title, input }: (typeof HOSTILE)[number]): Promise<boolean> {
  const toolCall = { toolCallId: "1", kind: kind as ToolKind, title, rawInput: input };
  const { signal } = new AbortController();
  const { allowed } = await decide(
    { sessionId: "s", toolCall, options: OPTIONS },
    { allow: ["git *"] },
    { signal, isOwn: false },
  );
  return allowed;
}

/** Returns what a user at a terminal sees, who allows everything, and whether they were asked. */
async function askPerson({ kind, title, input }: (typeof HOSTILE)[number]) {
  let shown = "";
  const write = (text: string | Uint8Array, done?: () => void): boolean => {
    shown += typeof text === "string" ? text : Buffer.from(text).toString();
    done?.();
    return true;
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end("y\n");
  const io = { stdin, stdout: { write }, stderr: { write, isTTY: true }, env: {}, cwd: "/" } as unknown as Io;
  const output = { ask: (question: () => Promise<boolean>) => question() } as ThinkOutput;
  const ask = createAsk({ allowed: new Set(), isAsking: true }, output, io);
  const isAllowed = await ask({ title, kind, input, signal: new AbortController().signal });
  return { isAllowed, shown };
}

/** One line for the title and one for the input, with the complete command and without terminal escapes. */
function isSeen(shown: string, { title, input }: (typeof HOSTILE)[number]): boolean {
  const lines = shown.split("\n");
  const rest = lines.join("");
  return (
    lines.length === (input === undefined ? 2 : 3) &&
    shown.includes(EVIL) &&
    !/[\p{C}\p{Zl}\p{Zp}\u00A0]/u.test(rest) &&
    !/ {4}/.test(rest) &&
    (!/[\n\r]/.test(title) || /\\[nr]/.test(rest))
  );
}

test("S20: users see exactly what they approve, and a pattern allows one plain command of any kind", async () => {
  expect(HOSTILE).toHaveLength(200);
  const through: unknown[] = [];
  const control = { allowed: 0, hidden: 0 };
  for (const request of HOSTILE) {
    if (await isAllowedByPattern(request)) through.push(request);
    const { isAllowed, shown } = await askPerson(request);
    if (isAllowed && !isSeen(shown, request)) through.push(request);
    if (compileNameGlob("git *")(request.title)) control.allowed++;
    if (!clip(printable(request.title), 200).includes(EVIL)) control.hidden++;
    else if (/[\n\r]/.test(request.title)) control.hidden++;
  }
  report("S20", {
    tried: "hostile permission requests",
    cases: HOSTILE.length,
    through: through.length,
    control: `a plain glob allows ${control.allowed}; a title cut to 200 characters on one line hides ${control.hidden}`,
  });
  expect(through).toEqual([]);
  expect(control.allowed).toBe(200);
  expect(control.hidden).toBeGreaterThan(0);
});

/** Inputs that run something else than the title `git status` says, or might. */
const OTHER_INPUTS: readonly unknown[] = [
  { command: EVIL },
  { command: `git status; ${EVIL}` },
  { command: `git log $(${EVIL})` },
  { command: "git status\u00a0" + `>&1\u00a0x\n${EVIL}` },
  { cmd: EVIL },
  { commandLine: EVIL },
  { script: EVIL },
  { commands: [EVIL] },
  { command: "git status", cmd: EVIL },
  { command: "git status", args: [EVIL] },
  { command: "git status", env: { GIT_PAGER: EVIL } },
  { command: "git status", shell: "/tmp/evil" },
  { command: ["bash", "-lc", EVIL] },
  { command: ["bash", "-c", `git status; ${EVIL}`] },
  { command: ["rm", "-rf", "~"] },
  { command: ["git", "status;", "rm"] },
  { command: ["git status", "x"] },
  { command: { line: "git status" } },
  EVIL,
  7,
];

test("S20: a pattern does not allow a harmless title whose input is another command", async () => {
  const cases = TOOL_KINDS.slice(0, 5).flatMap((kind) =>
    OTHER_INPUTS.map((input) => ({ kind, title: "git status", input })),
  );
  const through: unknown[] = [];
  for (const request of cases) if (await isAllowedByPattern(request as never)) through.push(request);
  const naive = cases.filter(({ title }) => compileNameGlob("git *")(title)).length;
  const tried = "harmless titles with another command as input";
  report("S20", { tried, cases: cases.length, through: through.length, control: `the title alone allows ${naive}` });
  expect(through).toEqual([]);
});

test.each([
  { command: "git status" },
  { command: ["bash", "-lc", "git status"] },
  { command: ["/bin/sh", "-c", "git status"] },
  { command: ["git", "status"] },
  { command: "git status", description: "Shows it", env: null },
  { path: "src" },
  "git status",
  undefined,
])("S20: a pattern allows a harmless title with the input %j", async (input) => {
  expect(await isAllowedByPattern({ kind: "execute", title: "git status", input: input as never })).toBe(true);
});

test("S20: an ordinary command is allowed by the pattern, and shown unchanged in the question", async () => {
  const request = { kind: "execute" as const, title: "git status --short", input: { command: "git status --short" } };
  expect(await isAllowedByPattern(request)).toBe(true);
  expect((await askPerson(request)).shown).toBe(
    'The agent asks to execute: git status --short\n  {"command":"git status --short"}\nAllow it this once? [y/N] ',
  );
});

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseToolToken } from "../../packages/skillset/src/core/allowed-tools/tool-token.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

/** 200,000 in the full run. */
const LINES = 2 * Number(process.env.CASES ?? 20_000);
/** Lines that one shell runs. */
const BATCH = 400;

const SHELLS = ["/bin/bash", "/bin/dash"].filter((shell) => existsSync(shell));

/** White space that is none to a shell. */
const SPACES = ["\u00a0", "\u1680", "\u2003", "\u2009", "\u202f", "\u205f", "\u3000", "\ufeff"];

const PIECES = [
  ...["git", "evil", "status", "a", "b", "1", "2", "12", "-o", "--", ".", "..", "/", "~", ",", ":", "@", "%", "+", "^"],
  ...[";", "&&", "||", "|", "|&", "&", "\n", "\t", "!", "=", "#", "*", "?", "[", "]", "{", "}", "(", ")"],
  ...["'", '"', "\\", "$", "$a", "$?", "$(", "`", "${", "$'", '$"'],
  ...[">", "<", ">>", ">&", "&>", "<&", "<>", ">|", "<<", ">&1", ">&2", "2>&1", "1>&2", ">&-", "2>", "1>"],
  ...SPACES,
];

test.skipIf(SHELLS.length < 2)(
  `a line of ${LINES} random ones that a token covers runs nothing else and writes no file, in bash and dash`,
  () => {
    const token = parseToolToken("Bash(git:*)");
    const lines = [...new Set(randomLines(LINES))].filter((line) => token.covers({ tool: "Bash", subject: line }));
    // A few words in quotes are harmless, and must not all be refused.
    expect(lines.length).toBeGreaterThan(LINES / 50);
    const through = SHELLS.flatMap((shell) =>
      findBreaches(shell, lines).map((line) => `${shell}: ${JSON.stringify(line)}`),
    );
    const pretended = SPACES.map((space) => `git >&1${space}b`);
    const known = [
      "git; evil",
      "git | evil",
      "git $(evil)",
      "git `evil`",
      "git > b",
      "git\nevil",
      'git "$(evil)"',
      "git & evil",
    ];
    expect(findBreaches("/bin/bash", known)).toEqual(known);
    expect(findBreaches("/bin/bash", pretended)).toEqual(pretended);
    report("allowed tools", {
      tried: "random command lines, in bash and dash",
      cases: LINES,
      through: through.length,
      control: `a pattern for 'any white space' lets ${pretended.length} of ${pretended.length} write a file; ${known.length} of ${known.length} known ones are seen`,
      note: `${lines.length} covered, run in ${SHELLS.length} shells`,
    });
    expect(through).toEqual([]);
  },
  600_000,
);

function randomLines(count: number): readonly string[] {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 1 + next(7) }, () => PIECES[next(PIECES.length)] + (next(2) === 0 ? " " : ""));
    return `git${next(4) === 0 ? "" : " "}${words.join("")}`;
  });
}

/** `git` does nothing, and `evil` leaves a mark. Each line has a shell to itself, so that its errors end only that one. */
const PROGRAM = `
git() { :; }
evil() { command : >> "$SEEN"; }
for line; do (eval "$line"; wait) </dev/null >/dev/null 2>&1; done
`;

/** Returns the lines that ran another command or wrote a file. */
function findBreaches(shell: string, lines: readonly string[]): readonly string[] {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const run = (some: readonly string[]): boolean => {
    const cwd = join(folder, "cwd");
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    chmodSync(cwd, 0o777);
    const seen = join(folder, "seen");
    rmSync(seen, { force: true });
    const env = { PATH: "/nonexistent", HOME: cwd, SEEN: seen };
    const options = { cwd, env, timeout: 60_000, ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }) };
    const { status, error } = spawnSync(shell, ["-c", PROGRAM, shell, ...some], options);
    if (error !== undefined || status === null) throw error ?? new Error(`${shell} did not end`);
    return existsSync(seen) || readdirSync(cwd).length > 0;
  };
  const breaches: string[] = [];
  const search = (some: readonly string[]): void => {
    if (some.length === 0 || !run(some)) return;
    const middle = Math.ceil(some.length / 2);
    if (some.length === 1) breaches.push(...some);
    else for (const half of [some.slice(0, middle), some.slice(middle)]) search(half);
  };
  for (let start = 0; start < lines.length; start += BATCH) search(lines.slice(start, start + BATCH));
  return breaches;
}

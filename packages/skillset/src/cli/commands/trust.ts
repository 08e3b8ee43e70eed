import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import { isWithin } from "../../node/files/contained-read.ts";
import { realPath } from "../../node/files/real-path.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { PROJECT_FOLDERS, standardFolders } from "../../node/load/sources.ts";
import { digestContent } from "../../node/skill-folder/folder-digest.ts";
import { recordFolder, type TrustRecord, TrustStore } from "../../node/trust/trust.ts";
import { defineCommand } from "../command-line/command.ts";
import { folderOf } from "../command-line/found-skill.ts";
import { anyOf } from "../command-line/parse-command-line.ts";
import { UsageError } from "../command-line/usage-error.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { counted, printable, shownPath } from "../terminal/printable.ts";
import { withProgress } from "../terminal/progress.ts";
import { writeJson, writeLine } from "../terminal/write.ts";

export const trust = defineCommand({
  about:
    "Trusts the skills of a project in their current state. A skill that changes is locked again.\n" +
    "Skills in a project are locked, and hidden from models, until you have reviewed and trusted them.",
  arguments: [{ name: "DIR", about: "a folder of the project (default: this folder)", completes: "folders" }],
  options: {
    revoke: { type: "boolean", about: "lock the project's skills again" },
    "dry-run": { type: "boolean", about: "show what would change, and change nothing" },
    yes: { type: "boolean", about: "trust without a terminal, for example in a script that you wrote" },
    json: { type: "boolean", about: "print {action, dryRun, skills} as JSON" },
  },
  examples: [
    ["skillset trust --dry-run", "review the project's skills first"],
    ["skillset trust", "trust them in their current state"],
    ["skillset trust ../other-project --revoke", "lock another project's skills again"],
  ],
  exitCodes: { 1: "there is nothing to trust or revoke, or no skill can be trusted" },
  async run({ values, positionals: [directory = ".", ...rest] }, io) {
    if (rest.length > 0) throw new UsageError("'skillset trust' takes one folder.");
    const cwd = resolve(io.cwd, directory);
    const dryRun = values["dry-run"] ?? false;
    // An agent with a shell must not unlock by mistake what was locked against it.
    if (!values.revoke && !dryRun && !values.yes && !io.stdin.isTTY) throw new UsageError(NO_TERMINAL);
    const store = new TrustStore();
    return values.revoke
      ? revoke(cwd, store, { dryRun, json: values.json }, io)
      : grant(cwd, store, { dryRun, json: values.json }, io);
  },
});

const NO_TERMINAL =
  "'skillset trust' lets models see and follow the project's skills, so without a terminal it needs --yes. " +
  "Review the skills first: 'skillset trust --dry-run' lists them.";

interface TrustRun {
  readonly dryRun: boolean;
  readonly json: boolean | undefined;
}

interface TrustedRow {
  readonly state: "trusted" | "known";
  readonly digest: string;
  readonly files: number;
  readonly scripts: number;
}

type TrustRow = { readonly name: string; readonly path: string } & (
  | TrustedRow
  | { readonly state: "refused"; readonly reason: string }
);

async function grant(cwd: string, store: TrustStore, { dryRun, json }: TrustRun, io: Io): Promise<number> {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new SkillError("source-not-found", `'${cwd}' is not a folder.`);
  const sources = projectSources(cwd, io);
  const { signal } = io;
  const { entries } = await withProgress(io, (onProgress) =>
    createSkillset(sources, {
      cwd,
      signal,
      onProgress,
      onProblem: ignoreProblem,
      trustStore: store,
      requirements: false,
    }),
  );
  const wanted = new Map<string, TrustRecord>();
  const rows = entries.flatMap((entry): TrustRow | [] => {
    const { name, status } = entry;
    const path = folderOf(entry)?.folder;
    if (path === undefined) return [];
    if (status === "invalid") return { name, path, state: "refused", reason: entry.reason };
    const record = tryRecord(path);
    if (typeof record === "string") return { name, path, state: "refused", reason: record };
    if (status === "locked") wanted.set(path, record);
    return { name, path, state: status === "locked" ? "trusted" : "known", ...summarise(record) };
  });
  if (rows.length === 0) {
    throw new SkillError(
      "skill-not-found",
      `Nothing to trust: '${cwd}' and its parents have no skills in ${anyOf(PROJECT_FOLDERS)}.`,
    );
  }
  // Records the state that the rows show, even if the folders have changed since.
  if (!dryRun && wanted.size > 0) store.remember(wanted);
  if (json) await writeJson(io.stdout, { action: "trust", dryRun, skills: rows });
  else await describe(rows, wanted.size, dryRun, io);
  return rows.every(({ state }) => state === "refused") ? 1 : 0;
}

/** The record of a skill, or why it cannot be trusted. */
function tryRecord(folder: string): TrustRecord | string {
  try {
    return recordFolder(folder);
  } catch (error) {
    if (error instanceof SkillError) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `some of it cannot be read (${code}). Check the permissions of its folders and files.`;
  }
}

/** Summarises the skill for the review: how many files it has, and how many of them are scripts. */
function summarise({ files }: TrustRecord): Pick<TrustedRow, "digest" | "files" | "scripts"> {
  const paths = [...files].flatMap(([path, value]) => (value === "directory" ? [] : [path]));
  const scripts = paths.filter((path) => SCRIPT.test(path)).length;
  return { digest: digestContent(files), files: paths.length, scripts };
}

const SCRIPT = /^scripts\/|\.(?:[cm]?[jt]s|py|sh|bash|zsh|fish|rb|pl|php|lua|ps1|bat|cmd|exe|jar)$/i;

async function describe(rows: readonly TrustRow[], wanted: number, dryRun: boolean, io: Io): Promise<void> {
  const paint = createPaint(io.stdout, io.env);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map((row) => {
    const name = `  ${printable(row.name).padEnd(width)}  `;
    if (row.state === "refused") return `${name}${paint("red", `not trusted: ${printable(row.reason)}`)}`;
    const scripts = row.scripts === 0 ? "no scripts" : paint("yellow", counted(row.scripts, "script"));
    const known = row.state === "known" ? "  (trusted already)" : "";
    return `${name}${row.digest.slice(0, 19)}  ${counted(row.files, "file")}, ${scripts}  ${paint("dim", shownPath(row.path, io))}${known}`;
  });
  const [verb, ending] = dryRun ? ["Would trust", ""] : ["Trusted", " A skill that changes is locked again."];
  const result = wanted === 0 ? "Nothing new to trust." : `${verb} ${counted(wanted, "skill")}.${ending}`;
  await writeLine(io.stdout, ...lines, result);
}

/** Uses only the recorded skills, so it also works for a project that no longer exists. */
async function revoke(cwd: string, store: TrustStore, { dryRun, json }: TrustRun, io: Io): Promise<number> {
  const root = projectRoot(cwd, io);
  const known = [...store.read().keys()].filter((path) => isWithin(root, path));
  if (known.length === 0)
    throw new SkillError("skill-not-found", `Nothing to revoke: no skill in '${root}' is trusted.`);
  if (!dryRun) store.revoke(root);
  if (json) {
    await writeJson(io.stdout, { action: "revoke", dryRun, skills: known.map((path) => ({ path })) });
  } else {
    const verb = dryRun ? "Would lock" : "Locked";
    await writeLine(
      io.stdout,
      ...known.map((path) => `  ${shownPath(path, io)}`),
      `${verb} ${counted(known.length, "skill")} in '${printable(root)}'.`,
    );
  }
  return 0;
}

function projectSources(cwd: string, { home }: Io) {
  return standardFolders({ cwd, home }).filter(({ scope }) => scope === "project");
}

/** The outermost folder whose skill folders belong to the project, as a real path like the recorded ones. */
function projectRoot(cwd: string, io: Io): string {
  return realPath(projectSources(cwd, io).at(-1)?.within ?? cwd);
}

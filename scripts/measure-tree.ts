// Prints what the tree consists of, so that two commits can be compared: node scripts/measure-tree.ts --help
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measure, type TreeFigure } from "./tree-figures.ts";

const HELP = `node scripts/measure-tree.ts [--at REV] [--against REV] [--list NAME] [--json]

  --at REV       measures a commit instead of the working directory
  --against REV  adds the figures of a commit before it
  --list NAME    lists what was counted in the row NAME, such as "over operation data"
  --json         prints everything as JSON, with what was counted`;

const { values: options } = parseArgs({
  options: {
    at: { type: "string" },
    against: { type: "string" },
    list: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (options.help) console.log(HELP);
else {
  const before = options.against === undefined ? undefined : measure(readTree(options.against));
  const after = measure(readTree(options.at));
  if (options.json) console.log(JSON.stringify(before === undefined ? after : { before, after }, null, 2));
  else if (options.list === undefined) console.log(table(after, before));
  else console.log(after.find(({ name }) => name === options.list)?.items?.join("\n") ?? `No list '${options.list}'.`);
}

/** Reads every text that git knows: of a commit, or of the working directory with new files. */
function readTree(revision: string | undefined): ReadonlyMap<string, string> {
  if (revision === undefined) {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    return readFiles(".", listed.toString().split("\0"));
  }
  const folder = mkdtempSync(join(tmpdir(), "skillset-tree-"));
  try {
    const archive = execFileSync("git", ["archive", revision], { maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return readFiles(folder, execFileSync("git", ["ls-tree", "-rz", "--name-only", revision]).toString().split("\0"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readFiles(root: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const wanted = paths.filter((path) => /\.(?:ts|tsx|mts|mjs|json)$/.test(path) && existsSync(join(root, path)));
  return new Map(wanted.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function table(figures: readonly TreeFigure[], before: readonly TreeFigure[] | undefined): string {
  const key = ({ group, name }: TreeFigure): string => `${group}\t${name}`;
  const older = new Map(before?.map((figure) => [key(figure), figure.value]));
  const newer = new Map(figures.map((figure) => [key(figure), figure.value]));
  const rows = [...new Set([...newer.keys(), ...older.keys()])].map((row) => {
    const columns = before === undefined ? [newer.get(row)] : [older.get(row), newer.get(row)];
    const names = row.split("\t").map((text) => text.padEnd(34));
    return [...names, ...columns.map((value) => String(value ?? "–").padStart(9))].join("");
  });
  const head = before === undefined ? "" : `${" ".repeat(68)}${"before".padStart(9)}${"after".padStart(9)}\n`;
  return `${head}${rows.join("\n")}\n\nCasts, members and closed sets are estimates: they are counted in the text, without a compiler.`;
}

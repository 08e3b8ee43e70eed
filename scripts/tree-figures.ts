import { type CodeText, readCode } from "./code-text.ts";
import { entryPoints, type Manifest } from "./packages.ts";

/** One row of the table. */
export interface TreeFigure {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  /** What was counted, if a reader wants to look at it. */
  readonly items?: readonly string[];
}

interface SourceFile extends CodeText {
  readonly path: string;
  readonly source: string;
  readonly kind: "source" | "testing" | "tests";
}

/** The classes whose public members are counted, in the library's `core/`. */
const CLASSES = ["Session", "Skillset", "SessionContext", "Conversation"];
/** What a file imports that reaches into the inside of a session. */
const DOORS = /^import [^;]*\b(?:SessionContext|contextOf|Conversation|conversationOf)\b[^;]*;/m;
/** The only place that may create a session. */
const SESSION_MAKER = "packages/skillset/src/core/open-session.ts";
const TYPE = /(?=[A-Z({["]|(?:unknown|never|any|string|number|boolean|bigint|object|readonly|keyof|typeof)\b)/.source;
const CASTS: Readonly<Record<string, RegExp>> = {
  "as X": new RegExp(`[\\w)\\]}"'\`!]\\s+as\\s+${TYPE}`, "g"),
  "as unknown as": /\bas unknown as\b/g,
  "as never": /\bas never\b/g,
  any: /(?:[:<,|&(]|=>|\bas)\s*any\b/g,
};
const OPERATION_DATA = new RegExp(
  `(?<![\\w$])(?:[\\w.?!]*\\b(?:data|structuredContent)\\b[!?]?(?:\\.\\w+|\\[[^\\]]*\\])*(?:\\s*\\?\\?\\s*\\{\\})?\\)?|operation)\\s+as\\s+${TYPE}`,
  "g",
);

/** Counts by reading text, without a compiler: casts, members and closed sets are estimates. */
export function measure(files: ReadonlyMap<string, string>): readonly TreeFigure[] {
  const read = [...files]
    .filter(([path]) => /\.(?:ts|tsx|mts|mjs)$/.test(path))
    .map(([path, source]): SourceFile => ({ path, source, kind: kindOf(path), ...readCode(source) }));
  const shipped = read.filter(({ path, kind }) => kind !== "tests" && /^(?:packages|apps)\//.test(path));
  const library = shipped.filter(({ kind }) => kind === "source");
  return [
    ...sizes(read),
    ...library.filter(({ path }) => path.startsWith("packages/skillset/src/core/")).flatMap(members),
    ...exportedNames(files),
    ...Object.entries(CASTS).map(([name, pattern]) => count("casts", name, shipped, pattern)),
    count("casts", "over operation data", shipped, OPERATION_DATA),
    listed(
      "sessions",
      "files that reach inside",
      library.filter(({ source }) => DOORS.test(source)).map(({ path }) => path),
    ),
    count(
      "sessions",
      "new Session( elsewhere",
      shipped.filter(({ path }) => path !== SESSION_MAKER),
      /\bnew Session\(/g,
    ),
    listed("closed sets", "in more than one file", repeatedSets(shipped)),
  ];
}

function kindOf(path: string): SourceFile["kind"] {
  if (/\.test\.tsx?$|(?:^|\/)test\//.test(path)) return "tests";
  return path.includes("/testing/") ? "testing" : "source";
}

function sizes(files: readonly SourceFile[]): TreeFigure[] {
  const parts = Map.groupBy(files, ({ path, kind }) => {
    const [first = "", second] = path.split("/");
    if (second === undefined) return "files of the root";
    return `${/^(?:packages|apps)$/.test(first) ? `${first}/${second}` : first}, ${kind}`;
  });
  const lines = (text: string): number => text.split("\n").filter((line) => line.trim() !== "").length;
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([group, own]) => {
      const sum = (size: (file: SourceFile) => number): number => own.reduce((all, file) => all + size(file), 0);
      return [
        { group, name: "files", value: own.length },
        { group, name: "lines", value: sum(({ source }) => source.split("\n").length - 1) },
        { group, name: "code lines", value: sum(({ withoutComments }) => lines(withoutComments)) },
      ];
    });
}

/** Members at the first level of the class, without private and internal ones. */
function members({ source, withoutStrings }: SourceFile): TreeFigure[] {
  return CLASSES.flatMap((name) => {
    const start = new RegExp(`^export class ${name}\\b[^{]*\\{`, "m").exec(withoutStrings);
    if (start === null) return [];
    const from = start.index + start[0].length;
    const to = withoutStrings.indexOf("\n}", from);
    const found = withoutStrings
      .slice(from, to)
      .matchAll(
        /^ {2}(?:readonly |static |async |get |set |\*)*(?!constructor\b)([A-Za-z]\w*|\[Symbol\.\w+\])(?=[(<:?!;]| =)/gm,
      );
    const names = [...found]
      .filter(([line]) => !line.includes("static "))
      .filter(({ index }) => !/@internal[^*]*\*\/\s*$/.test(source.slice(0, from + index)))
      .map(([, member = ""]) => member);
    return [listed("public members", name, [...new Set(names)])];
  });
}

function exportedNames(files: ReadonlyMap<string, string>): TreeFigure[] {
  const found = [...files.keys()]
    .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
    .sort()
    .flatMap((path) => {
      const manifest = JSON.parse(files.get(path) ?? "{}") as Manifest;
      return entryPoints(manifest).map(({ specifier, source }) => {
        const text = readCode(files.get(path.replace("package.json", source)) ?? "").withoutComments;
        const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
        const single = [...text.matchAll(/^export (?:async )?(?:const|function|class|type|interface|default) (\w*)/gm)];
        const names = [...lists, ...single.map(([, name = ""]) => name)];
        return listed(
          "exported names",
          specifier,
          names.map((name) => name.trim().split(" ").at(-1) ?? "").filter((name) => name !== ""),
        );
      });
    });
  const value = found.reduce((all, figure) => all + figure.value, 0);
  return [...found, { group: "exported names", name: "in all", value }];
}

/** String unions and literal arrays that share three members or more with one in another file. */
function repeatedSets(files: readonly SourceFile[]): string[] {
  const groups: { members: Set<string>; files: Set<string> }[] = [];
  for (const { path, withoutComments } of files) {
    for (const [text] of withoutComments.matchAll(
      /"[^"\n]*"(?:\s*\|\s*"[^"\n]*"){2,}|\[\s*"[^"\n]*"(?:,\s*"[^"\n]*"){2,},?\s*\]/g,
    )) {
      const own = new Set([...text.matchAll(/"([\w-]+)"/g)].map(([, member = ""]) => member));
      const group = groups.find((one) => [...own].filter((member) => one.members.has(member)).length >= 3);
      if (group === undefined) groups.push({ members: own, files: new Set([path]) });
      else group.files.add(path);
    }
  }
  return groups
    .filter((group) => group.files.size > 1)
    .map((group) => `${[...group.members].join(" | ")}: ${[...group.files].join(", ")}`);
}

function count(group: string, name: string, files: readonly SourceFile[], pattern: RegExp): TreeFigure {
  const found = files.flatMap(({ path, source, withoutStrings }) => {
    // Renamed imports and exports are not casts.
    const code = withoutStrings.replaceAll(/^(?:import|export) (?:type )?[^;({]*\{[^}]*\}|\* as /gm, (text) =>
      text.replaceAll(/[^\n]/g, " "),
    );
    return [...code.matchAll(pattern)].map(({ index }) => `${path}:${source.slice(0, index).split("\n").length}`);
  });
  return listed(group, name, found);
}

function listed(group: string, name: string, items: readonly string[]): TreeFigure {
  return { group, name, value: items.length, items };
}

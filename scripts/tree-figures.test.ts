import { expect, test } from "vitest";
import { measure } from "./tree-figures.ts";

const CORE = "packages/skillset/src/core";

function figure(files: Readonly<Record<string, string>>, group: string, name: string) {
  return measure(new Map(Object.entries(files))).find((one) => one.group === group && one.name === name);
}

test("comments and empty lines are no lines of code, and tests and testing are counted apart", () => {
  const files = {
    "packages/one/src/a.ts": '// why\n\nconst text = "// no comment";\n/* more\nlines */\n',
    "packages/one/src/a.test.ts": "test();\n",
    "packages/one/src/testing/b.ts": "one();\ntwo();\n",
  };
  const value = (kind: string, name: string) => figure(files, `packages/one, ${kind}`, name)?.value;
  expect([value("source", "files"), value("source", "lines"), value("source", "code lines")]).toEqual([1, 5, 1]);
  expect([value("tests", "code lines"), value("testing", "code lines")]).toEqual([1, 2]);
});

test("a getter with its setter is one member; private, internal and static members do not count", () => {
  const source = `export class Session extends Base {
  readonly #context: Context;
  readonly id: string;
  static make() {}
  constructor(id: string) {
    this.id = id;
  }
  get size(): number {
    return 1;
  }
  set size(value: number) {}
  async *read<Text>(path: string) {}
  /**
   * Not part of the public API.
   * @internal
   */
  derive() {}
  [Symbol.iterator]() {}
}
`;
  expect(figure({ [`${CORE}/session.ts`]: source }, "public members", "Session")?.items).toEqual([
    "id",
    "size",
    "read",
    "[Symbol.iterator]",
  ]);
});

test("every exported name of an entry point counts, types included", () => {
  const files = {
    "packages/one/package.json": JSON.stringify({ name: "one", exports: { ".": "./dist/index.js" } }),
    "packages/one/src/index.ts":
      'export {\n  a,\n  b as c, // why\n  type D,\n} from "./a.ts";\nexport const e = 1;\nexport type { F } from "./f.ts";\n',
  };
  expect(figure(files, "exported names", "one")?.items).toEqual(["a", "c", "D", "F", "e"]);
  expect(figure(files, "exported names", "in all")?.value).toBe(5);
});

test("casts are counted in code only, and neither 'as const' nor a renamed import is one", () => {
  const source = `import { a as B } from "./a.ts";
// text as Comment
const [one, two] = [value as Type, "text as Type"] as const;
const three = \`\${one} as Type\` as unknown as string;
`;
  const files = { [`${CORE}/a.ts`]: source, [`${CORE}/a.test.ts`]: "value as Type;\n" };
  expect(figure(files, "casts", "as X")?.items).toEqual([`${CORE}/a.ts:3`, `${CORE}/a.ts:4`, `${CORE}/a.ts:4`]);
  expect(figure(files, "casts", "as unknown as")?.value).toBe(1);
});

test("casts over an operation's data are counted, and casts of other values are not", () => {
  const source = `const files = (operation.data as Partial<Script>).files;
const session = result.data.session as Session;
const first = result.data["files"] as string[];
const content = (result.structuredContent ?? {}) as Content;
const event = JSON.parse(String(data)) as Event;
const part = { data: value as Content };
`;
  const items = figure({ [`${CORE}/a.ts`]: source }, "casts", "over operation data")?.items;
  expect(items).toEqual([1, 2, 3, 4].map((line) => `${CORE}/a.ts:${line}`));
});

test("files that import a session's inside are listed, and sessions that are made outside the one place", () => {
  const files = {
    [`${CORE}/open-session.ts`]: "return new Session(skillset);\n",
    [`${CORE}/a.ts`]: 'import type { SessionContext } from "./session/context.ts";\nnew Session(skillset);\n',
    [`${CORE}/b.ts`]: "// contextOf\n",
  };
  expect(figure(files, "sessions", "files that reach inside")?.items).toEqual([`${CORE}/a.ts`]);
  expect(figure(files, "sessions", "new Session( elsewhere")?.items).toEqual([`${CORE}/a.ts:2`]);
});

test("a closed set counts once, however many files write it down", () => {
  const files = {
    [`${CORE}/a.ts`]: 'type Format =\n  | "xml"\n  | "json"\n  | "names";\ntype Other = "one" | "two";\n',
    [`${CORE}/b.ts`]: 'const FORMATS = ["json", "names", "xml", "csv"];\nconst OTHER = ["one", "two"];\n',
    [`${CORE}/c.ts`]: 'const FORMATS = ["xml", "json", "names"];\n',
    [`${CORE}/d.test.ts`]: 'const FORMATS = ["xml", "json", "names"];\n',
  };
  expect(figure(files, "closed sets", "in more than one file")?.items).toEqual([
    `xml | json | names: ${CORE}/a.ts, ${CORE}/b.ts, ${CORE}/c.ts`,
  ]);
});

import { readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../test/temporary-folder.ts";
import { claimFolder } from "./own-folder.ts";

const DATA = ".skillset/chat";
const RECORDS = ".skillset/chat-folders";
const ID = "0123456789abcdef0123456789abcdef";

describe("S16: the data folder in the start folder", () => {
  test("is created with an id that only the home of the user knows, and is then accepted", () => {
    const [start, home] = [temporaryFolder(), temporaryFolder()];
    claimFolder(start, `${start}/${DATA}`, home);
    const id = readFileSync(`${start}/${DATA}/id`, "utf8");
    expect(readdirSync(`${home}/${RECORDS}`)).toEqual([id]);
    expect(readFileSync(`${home}/${RECORDS}/${id}`, "utf8")).toBe(`${start}/${DATA}\n`);
    expect(readFileSync(`${start}/${DATA}/.gitignore`, "utf8")).toBe("*\n");
    if (process.platform !== "win32") {
      expect(statSync(`${start}/${DATA}`).mode & 0o777).toBe(0o700);
      expect(statSync(`${home}/${RECORDS}`).mode & 0o777).toBe(0o700);
      expect(statSync(`${home}/${RECORDS}/${id}`).mode & 0o777).toBe(0o600);
    }
    claimFolder(start, `${start}/${DATA}`, home);
    expect(readdirSync(`${home}/${RECORDS}`)).toEqual([id]);
  });

  test("is accepted after its project has been moved, and refused for another user", () => {
    const [parent, home] = [temporaryFolder({ "old/notes.txt": "" }), temporaryFolder()];
    claimFolder(`${parent}/old`, `${parent}/old/${DATA}`, home);
    renameSync(`${parent}/old`, `${parent}/new`);
    claimFolder(`${parent}/new`, `${parent}/new/${DATA}`, home);
    expect(() => claimFolder(`${parent}/new`, `${parent}/new/${DATA}`, temporaryFolder())).toThrow("was not created");
  });

  test.each([
    ["without an id", { "postgres/PG_VERSION": "17\n" }],
    ["with an unknown id", { id: ID.replace("0", "f") }],
    ["with a path as its id", { id: `../chat-folders/${ID}` }],
    ["with a folder as its id", { "id/file": ID }],
    ["with no text in its id", { id: "" }],
  ])("is refused %s, and not changed", (_, files) => {
    const [start, home] = [temporaryFolder(), temporaryFolder({ [`${RECORDS}/${ID}`]: "" })];
    writeFiles(`${start}/${DATA}`, files);
    const before = readdirSync(`${start}/${DATA}`);
    expect(() => claimFolder(start, `${start}/${DATA}`, home)).toThrow(
      `${start}/${DATA} was not created by you on this machine. Delete it, or start with '--data ${DATA}' to use it.`,
    );
    expect(readdirSync(`${start}/${DATA}`)).toEqual(before);
  });

  test.each([".skillset", DATA])("is refused if %s is a link, even to a folder of the user", (link) => {
    const [start, home] = [temporaryFolder(), temporaryFolder()];
    const other = temporaryFolder();
    claimFolder(other, `${other}/${DATA}`, home);
    if (link === DATA) writeFiles(start, { ".skillset/notes.txt": "" });
    symlinkSync(`${other}/${link}`, `${start}/${link}`);
    expect(() => claimFolder(start, `${start}/${DATA}`, home)).toThrow(`${start}/${link} is a link`);
  });

  test("is refused if it is a link to a folder that does not exist", () => {
    const start = temporaryFolder({ ".skillset/notes.txt": "" });
    symlinkSync(`${start}/missing`, `${start}/${DATA}`);
    expect(() => claimFolder(start, `${start}/${DATA}`, temporaryFolder())).toThrow("is a link");
    expect(readdirSync(start)).toEqual([".skillset"]);
  });

  test("is refused with the reason if it is a file", () => {
    const start = temporaryFolder({ [DATA]: "" });
    expect(() => claimFolder(start, `${start}/${DATA}`, temporaryFolder())).toThrow(
      `The chat cannot use ${start}/${DATA} (ENOTDIR). Start with --data and a folder that you own.`,
    );
  });
});

test("a data folder outside the start folder is not checked", () => {
  const [start, other, home] = [
    temporaryFolder(),
    temporaryFolder({ "postgres/PG_VERSION": "17\n" }),
    temporaryFolder(),
  ];
  claimFolder(start, other, home);
  expect(readdirSync(other)).toEqual(["postgres"]);
  expect(readdirSync(home)).toEqual([]);
});

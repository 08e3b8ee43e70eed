import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import { readContained } from "../../packages/skillset/src/node/files/contained-read.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const SECRET = "token = 0123456789";

async function world() {
  const root = temporaryFolder({
    "skills/a/SKILL.md": skillMd("a"),
    "skills/a/references/own.md": "own",
    "skills/a/.git/config": SECRET,
    "skills/a/.env": SECRET,
    "skills/a/.env.example": "own",
    "skills/a/deep/.ssh/id": SECRET,
    "skills/a/deep/.npmrc": SECRET,
    "skills/a/.ENV.local": SECRET,
    "outside/secret.md": SECRET,
  });
  const folder = join(root, "skills/a");
  const session = await (await createSkillset(join(root, "skills"))).session();
  const paths = async () => (await session.files("a").list()).map(({ path }) => path);
  return { root, folder, session, paths };
}

/** Links to create, and the path to read. */
const attacks: Readonly<Record<string, readonly [links: Readonly<Record<string, string>>, path: string]>> = {
  "by its name": [{}, ".git/config"],
  "by its name in other letters": [{}, ".ENV.local"],
  "through a link to a file in .git": [{ "references/setup.md": "../.git/config" }, "references/setup.md"],
  "through a link to .env": [{ "references/setup.md": "../.env" }, "references/setup.md"],
  "through a link to a file deep down": [{ "setup.md": "deep/.ssh/id" }, "setup.md"],
  "through a link to .npmrc": [{ "setup.md": "deep/.npmrc" }, "setup.md"],
  "through a link to its folder": [{ docs: ".git" }, "docs/config"],
  "through a chain of links": [{ one: "references/two", "references/two": "../.env" }, "one"],
  "through a link that leaves the skill and comes back": [{ "setup.md": "../a/.env" }, "setup.md"],
};

test.each(Object.entries(attacks))("a private file is not read %s, nor listed", async (_, [links, path]) => {
  const { folder, session, paths } = await world();
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(folder, link));
  await expect(session.files("a").read(path)).rejects.toMatchObject({ code: "resource-not-found" });
  const skill = session.skillset.get("a");
  await expect(skill?.files.read(path)).rejects.toMatchObject({ code: "resource-not-found" });
  const own = [".env.example", "references/own.md"];
  expect((await paths()).filter((listed) => !["SKILL.md", "deep", "references"].includes(listed))).toEqual(own);
  expect((await session.activate("a")).files).toEqual(own);
  // Naive: only checks that the file is in the skill.
  expect(new TextDecoder().decode(readContained(folder, path, { maxBytes: 1_000 }))).toBe(SECRET);
  report("S6", {
    tried: "private files, by name and through links",
    cases: 1,
    through: 0,
    control: "checking only the location shows each",
  });
});

test("a list contains exactly the links that can be read", async () => {
  const { root, folder, session, paths } = await world();
  const links = {
    "inside.md": "references/own.md",
    "outside.md": "../../outside/secret.md",
    "absolute.md": join(root, "outside/secret.md"),
    "broken.md": "nowhere.md",
    "loop.md": "loop.md",
    folder: "references",
    device: "/dev/null",
  };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(folder, link));
  linkSync(join(folder, "references/own.md"), join(folder, "hard.md"));
  const listed = await paths();
  expect(listed).toEqual(
    ["SKILL.md", ".env.example", "deep", "hard.md", "inside.md", "references", "references/own.md"].sort(),
  );
  for (const path of Object.keys(links)) {
    const isRead = await session
      .files("a")
      .read(path)
      .then(
        () => true,
        () => false,
      );
    expect([path, isRead]).toEqual([path, listed.includes(path)]);
  }
  expect((await session.files("a").list()).find(({ path }) => path === "inside.md")).toMatchObject({ size: 3 });
});

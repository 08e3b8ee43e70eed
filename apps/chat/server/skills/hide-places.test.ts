import { expect, test } from "vitest";
import { createRedact } from "../observe/redact.ts";
import { hidePlaces } from "./hide-places.ts";

const ROOTS = [
  "/project/.skills",
  "/home/me/.agents/skills",
  "/srv/skills",
  "/opt/team/skills",
  "/srv/skills/more",
  "/x y",
];
const { place, row, problem } = hidePlaces(ROOTS, createRedact("/project", "/home/me"));

test.each([
  ["/project/.skills/pdf", "./.skills/pdf"],
  ["/home/me/.agents/skills", "~/.agents/skills"],
  ["/srv/skills", "…/skills"],
  ["/srv/skills/pdf/SKILL.md", "…/skills/pdf/SKILL.md"],
  ["/opt/team/skills", "…/skills (2)"],
  ["/opt/team/skills/pdf", "…/skills (2)/pdf"],
  ["/srv/skills/more/pdf", "…/more/pdf"],
  ["/srv/skills-old/pdf", "…/pdf"],
  ["/x y/pdf", "…/x y/pdf"],
  ["code", "code"],
])("the place %s is shown as %s", (path, shown) => {
  expect(place(path)).toBe(shown);
});

test("in rows and problems, places are named and other texts have no paths", () => {
  const skill = { name: "pdf", description: "Reads /etc/passwd.", state: "enabled", source: "/srv/skills" } as never;
  expect(row(skill)).toMatchObject({ source: "…/skills", description: "Reads <path>." });
  const shadowed = {
    name: "pdf",
    source: "/opt/team/skills",
    reason: "shadowed by /srv/skills/pdf (version 1)",
  } as never;
  expect(row(shadowed)).toMatchObject({ reason: "shadowed by …/skills/pdf (version 1)" });
  const found = {
    code: "name-invalid",
    severity: "error",
    message: "See '/x y/a', /opt/team/skills/b, /srv/skills, /mnt/srv/skills/c and \ue0000/etc.",
    path: "/srv/skills/a",
  } as never;
  expect(problem(found)).toMatchObject({
    path: "…/skills/a",
    message: "See '…/x y/a', …/skills (2)/b, <path>, <path> and 0/etc.",
  });
  expect(problem({ code: "x", severity: "info", message: "x" } as never)).not.toHaveProperty("path");
});

import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { describeUnread } from "./describe-unread.ts";

test("only a project with skills in 'skills' is told how to load them", () => {
  const project = temporaryFolder({ "skills/tea/SKILL.md": skillMd("tea") });
  expect(describeUnread(project)).toContain(`add "./skills" to 'app.skills.directories'`);
  expect(describeUnread(temporaryFolder({ "skills/README.md": "Talents." }))).toBeUndefined();
});

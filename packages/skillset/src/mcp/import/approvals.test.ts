import type { Skill as PublishedSkill } from "@modelcontextprotocol/client/ext/skills";
import { expect, test, vi } from "vitest";
import { Approvals } from "./approvals.ts";

const uri = "skill://s/SKILL.md";
const frontmatter = { name: "s", description: "S." };
const dynamic: PublishedSkill = { uri, frontmatter, resources: "dynamic" };
const listed: PublishedSkill = { uri, frontmatter, resources: [{ uri, digest: `sha256:${"1".repeat(64)}`, size: 1 }] };

test.each([
  ["that cannot be verified needs approval each time its instructions are fetched, and has no digest", dynamic, 2],
  ["that can be verified needs approval once", listed, 1],
])("a skill %s", async (_, entry, times) => {
  const approve = vi.fn(() => true);
  const approvals = new Approvals("acme", approve);
  await approvals.demand(entry, { anew: true });
  await approvals.demand(entry, { anew: true });
  await approvals.demand(entry);
  expect(approve).toHaveBeenCalledTimes(times);
  expect(approve).toHaveBeenCalledWith(
    entry === dynamic
      ? expect.not.objectContaining({ digest: expect.anything() })
      : expect.objectContaining({ digest: expect.any(String) }),
  );
});

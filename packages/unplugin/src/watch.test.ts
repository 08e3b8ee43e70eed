import { test } from "vitest";
import { createProject } from "./testing/project.ts";
import { expectChangesSeen, WATCHERS } from "./testing/watchers.ts";

test.each(Object.entries(WATCHERS))(
  "%s builds again when a skill is changed, added, removed, broken and fixed",
  async (_name, watch) => {
    await expectChangesSeen(createProject(), watch);
  },
  60_000,
);

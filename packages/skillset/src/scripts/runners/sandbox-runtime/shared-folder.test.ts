import { describe, expect, test } from "vitest";
import { withoutSharedFolder } from "./shared-folder.ts";

const LINE =
  "bwrap --ro-bind / / --bind /tmp/claude /tmp/claude --bind /tmp/a /tmp/a --tmpfs /tmp --bind /tmp/claude /tmp/claude --bind /tmp/a /tmp/a -- /bin/sh -c 'exec a'";

describe("the folder that all sandboxes share", () => {
  test("is not mounted", () => {
    expect(withoutSharedFolder(LINE, ["/tmp/a"])).toBe(
      "bwrap --ro-bind / / --bind /tmp/a /tmp/a --tmpfs /tmp --bind /tmp/a /tmp/a -- /bin/sh -c 'exec a'",
    );
    const other = "bwrap --bind /tmp/claude-own /tmp/claude-own -- /bin/sh";
    expect(withoutSharedFolder(other, ["/tmp/claude-own"])).toBe(other);
  });

  test("cannot contain the files of a run", () => {
    expect(() => withoutSharedFolder(LINE, ["/tmp/claude/a"])).toThrow("Set TMPDIR to another folder.");
  });

  test.each([
    "/bin/sh -c 'exec 9<\"$1\"' srt-args /proc/1/fd/9 bwrap --args 9 -- /bin/sh",
    "bwrap --ro-bind /tmp/claude /other -- /bin/sh",
  ])("stops a run if it may be mounted: %s", (line) => {
    expect(() => withoutSharedFolder(line, [])).toThrow("it may let scripts use the folder /tmp/claude");
  });
});

import { describe, expect, test } from "vitest";
import { fileRules } from "./file-rules.ts";

const paths = { reads: ["/tmp/a/skill"], writes: ["/tmp/a/output"], hasNetwork: false };

describe("the rules for files", () => {
  test("deny everything on Linux except the system and what the run needs", () => {
    const { denyRead, allowRead, allowWrite } = fileRules(paths, "linux");
    expect(denyRead).toContain("/");
    expect(allowRead).toContain("/tmp/a/skill");
    expect(
      allowRead.filter((path) => path.startsWith("/etc/") && !/^\/etc\/(?:ld\.so|alter|ssl\/o)/.test(path)),
    ).toEqual([]);
    expect(allowWrite).toEqual(["/tmp/a/output"]);
  });

  test("deny the folders of people on macOS", () => {
    const { denyRead, allowRead, allowWrite, denyWrite } = fileRules(paths, "darwin");
    expect(denyRead).toEqual(expect.arrayContaining(["/Users", "/Volumes", "/private/tmp", "/private/var/folders"]));
    expect(allowRead).toEqual(["/tmp/a/skill", "/tmp/a/output"]);
    expect(allowWrite).toEqual(["/tmp/a/output"]);
    expect(denyWrite).toContain("/private/tmp/claude");
  });
});

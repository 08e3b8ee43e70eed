import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { SkillRefError } from "../../core/base/errors.ts";
import { SkillRef } from "./skill-ref.ts";

const folder = () => temporaryFolder({ "style/SKILL.md": skillMd("style", "Styles code.", "# Style $HOME\n") });

/** The error that the constructor throws. */
function refused(options: ConstructorParameters<typeof SkillRef>[0]): SkillRefError {
  try {
    new SkillRef(options);
  } catch (error) {
    if (error instanceof SkillRefError) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("SkillRef", () => {
  test("accepts an absolute path, a path relative to a base, and URLs", () => {
    const root = folder();
    const path = join(root, "style");
    for (const options of [
      { path },
      { path: "style", basePath: root },
      { path: "./x/../style", basePath: root },
      { path: "style/SKILL.md", basePath: root },
      { path: pathToFileURL(path) },
      { path: "style", basePath: pathToFileURL(`${root}/`) },
    ]) {
      const ref = new SkillRef(options);
      expect(ref.resolvedPath).toBe(path);
      expect(ref.skillMdPath).toBe(join(path, "SKILL.md"));
      expect([ref.name, ref.description, ref.isEnabled()]).toEqual(["style", "Styles code.", true]);
    }
  });

  test("a relative path without a base is resolved against the working folder", () => {
    const ref = new SkillRef({ path: "packages/skillset/skills", enabled: () => false });
    expect(ref.resolvedPath).toBe(join(process.cwd(), "packages/skillset/skills"));
  });

  test("validate() reads the skill again", () => {
    const root = folder();
    const ref = new SkillRef({ path: "style", basePath: root });
    ref.validate();
    writeFiles(root, { "style/SKILL.md": "no frontmatter" });
    expect(() => ref.validate()).toThrow(SkillRefError);
    expect(ref.name).toBe("style");
  });

  test("is frozen, and reads its body unchanged", () => {
    const ref = new SkillRef({ path: "style", basePath: folder() });
    expect(Object.isFrozen(ref)).toBe(true);
    expect(ref.readBody()).toBe("# Style $HOME");
  });

  test.each(["license: [1]\n", `compatibility: ${"x".repeat(501)}\n`, "metadata: 5\n", "allowed-tools: 123\n"])(
    "reports a wrong optional field in `problems` (%j)",
    (fields) => {
      const root = temporaryFolder({ "style/SKILL.md": skillMd("style", "Styles code.", "", fields) });
      const [field = ""] = fields.split(":");
      const { problems } = new SkillRef({ path: "style", basePath: root });
      expect(problems).toMatchObject([{ severity: "warning", message: expect.stringContaining(field) }]);
    },
  );

  test("has another name than its folder or file if one is given", () => {
    const root = temporaryFolder({ "style/SKILL.md": skillMd("style"), "lone.md": skillMd("lone") });
    for (const path of ["style", "lone.md"])
      expect(new SkillRef({ path, basePath: root, name: "given-name" }).name).toBe("given-name");
    expect(() => new SkillRef({ path: "style", basePath: root, name: "A B" })).toThrow("The name 'A B'");
  });

  test.each([undefined, "", 7])("%o is not a path", (path) => {
    expect(() => new SkillRef({ path: path as string })).toThrow("A SkillRef requires the path of a skill");
  });
});

describe("the constructor reports", () => {
  test("not-found", () => {
    const path = join(temporaryFolder(), "gone");
    expect(refused({ path })).toMatchObject({
      code: "skill-ref-invalid",
      path,
      reason: "not-found",
      message: `The skill reference '${path}' does not exist.`,
    });
  });

  test("not-found for a broken link and for a path through a file", () => {
    const root = folder();
    symlinkSync(join(root, "gone"), join(root, "link"));
    expect(refused({ path: join(root, "link") }).reason).toBe("not-found");
    expect(refused({ path: join(root, "style/SKILL.md/x.md") }).reason).toBe("not-found");
  });

  test("not-directory", () => {
    const root = temporaryFolder({ "skill.txt": "x" });
    expect(refused({ path: join(root, "skill.txt") })).toMatchObject({ reason: "not-directory" });
  });

  test("missing-skill-md", () => {
    const root = temporaryFolder({ "a/README.md": "x", "b/skill.md": skillMd("b") });
    expect(refused({ path: join(root, "a") })).toMatchObject({ reason: "missing-skill-md" });
    if (process.platform === "linux") expect(refused({ path: join(root, "b") }).reason).toBe("missing-skill-md");
  });

  test.each([
    ["no frontmatter", "does not start with a '---' line"],
    ["---\nname: style\n", "no closing"],
    ["---\nname: style\n---\n", "has no 'description'"],
    ["---\ndescription: d\n---\n", "has no 'name'"],
    ["---\nname: Style\ndescription: d\n---\n", "lowercase"],
    ["---\nname: other\ndescription: d\n---\n", "must match the folder's name 'style'"],
    ["---\nname: style\ndescription: [\n---\n", "not valid YAML"],
    [`---\nname: style\ndescription: ${"x".repeat(1025)}\n---\n`, "1025 characters"],
    ["\0", "binary"],
    [Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff]), "binary"],
    ["x".repeat(1024 * 1024 + 1), "The maximum is 1048576"],
  ])("invalid-frontmatter: %j", (content, details) => {
    const root = temporaryFolder({ "style/SKILL.md": content });
    const error = refused({ path: join(root, "style") });
    expect(error.reason).toBe("invalid-frontmatter");
    expect(error.details).toContain(details);
  });

  test("a SKILL.md that is a folder is not a skill", () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "style/SKILL.md"), { recursive: true });
    expect(refused({ path: join(root, "style") }).reason).toBe("invalid-frontmatter");
  });
});

describe("a disabled reference", () => {
  test("is validated when it is enabled", () => {
    let isOn = false;
    const root = temporaryFolder();
    const ref = new SkillRef({ path: join(root, "later"), enabled: () => isOn });
    expect(ref.isEnabled()).toBe(false);
    isOn = true;
    expect(() => ref.name).toThrow(SkillRefError);
    writeFiles(root, { "later/SKILL.md": skillMd("later") });
    expect(ref.name).toBe("later");
  });
});

describe("links", () => {
  test("a link to a skill's folder is followed, and the link's name counts", () => {
    const root = folder();
    symlinkSync(join(root, "style"), join(root, "linked"));
    expect(refused({ path: join(root, "linked") }).details).toContain("folder's name 'linked'");
    expect(new SkillRef({ path: join(root, "linked"), name: "style" }).description).toBe("Styles code.");
  });

  test("a SKILL.md that links outside its folder is read only with symlinks: 'follow'", () => {
    const root = temporaryFolder({ "secret.md": skillMd("style", "From outside.") });
    mkdirSync(join(root, "style"));
    symlinkSync(join(root, "secret.md"), join(root, "style/SKILL.md"));
    expect(refused({ path: join(root, "style") })).toMatchObject({ reason: "invalid-frontmatter" });
    expect(new SkillRef({ path: join(root, "style"), symlinks: "follow" }).description).toBe("From outside.");
    expect(() => new SkillRef({ path: root, symlinks: "maybe" as never })).toThrow("'symlinks' must be");
  });

  test("a SKILL.md that links within its folder is read", () => {
    const root = temporaryFolder({ "style/real.md": skillMd("style") });
    symlinkSync("real.md", join(root, "style/SKILL.md"));
    expect(new SkillRef({ path: join(root, "style") }).name).toBe("style");
  });
});

describe("a single Markdown file", () => {
  test("is a skill named after the file", () => {
    const root = temporaryFolder({ "style.md": skillMd("style", "Styles.", "Body") });
    const ref = new SkillRef({ path: join(root, "style.md") });
    expect([ref.name, ref.isFile, ref.skillMdPath, ref.readBody()]).toEqual([
      "style",
      true,
      join(root, "style.md"),
      "Body",
    ]);
  });

  test("may have another file name if its name is given", () => {
    const root = temporaryFolder({ "Style guide (v2).md": skillMd("style") });
    const path = join(root, "Style guide (v2).md");
    expect(new SkillRef({ path, name: "style" }).name).toBe("style");
    expect(refused({ path }).details).toBe(
      "The name 'style' must match the file's name 'Style guide (v2)'. Rename the file to 'style.md', or set the option 'name'.",
    );
  });

  test("requires frontmatter", () => {
    const path = join(temporaryFolder(), "plain.md");
    writeFileSync(path, "# Plain");
    expect(refused({ path }).reason).toBe("invalid-frontmatter");
  });
});

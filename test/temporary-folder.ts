import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed after the test. */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  writeFiles(folder, files);
  return folder;
}

/** Writes files below a folder, and creates their folders. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Returns the text of a small valid SKILL.md. */
export function skillMd(
  name: string,
  description = `Does ${name}. Use when asked for ${name}.`,
  body = `# ${name}\n`,
  /** More lines of the frontmatter. */
  fields = "",
): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${fields}---\n\n${body}`;
}

import { expect, test } from "vitest";
import { toToolCall } from "./tool-call.ts";

test.each<[tool: string, input: object]>([
  ["Bash", { command: "git status", args: ["push"] }],
  ["Bash", { command: "git status", shell: "/tmp/evil" }],
  ["Bash", { command: "git status", commands: ["rm -rf ~"] }],
  ["Bash", { command: "git apply", stdin: "patch" }],
  ["Bash", { command: "git log", environment: { GIT_PAGER: "evil" } }],
  ["Bash", { command: "git log", Environment_Variables: { GIT_PAGER: "evil" } }],
  ["Bash", { command: "git log", CMD: "evil" }],
  ["Bash", { stdin: "git status" }],
  ...["env_vars", "env_file", "user", "container", "PATH", "sudo", "prefix", "shell_command", "cmds", "flags"].map(
    (name): [string, object] => ["Bash", { command: "./run.sh", [name]: "x" }],
  ),
  ["Bash", { command: "./run.sh", cwd: "/a", workdir: "/b" }],
  ["Bash", { command: "./run.sh", cwd: ["/a"] }],
  ["Glob", { path: "src/a", glob: "/etc/**" }],
  ["Glob", { path: "src/a", patterns: ["*.ts", "/etc/**"] }],
  ["Glob", { path: "src/a", query: "/etc/**" }],
  ["Grep", { path: "src/a", pattern: "x", include: "/etc/*" }],
  ["LS", { path: "src/a", glob: "../**" }],
  ["Read", { file_path: "src/a", to: "/etc/passwd" }],
  ["MultiEdit", { file_path: "src/a", edits: [{ old_string: "a", new_string: "b", file_path: "/etc/passwd" }] }],
  ["Edit", { file_path: "src/a", patch: "*** Update File: /etc/passwd" }],
  ["WebFetch", { url: "https://example.com", headers: { host: "evil.com" } }],
  ["WebFetch", { url: "https://example.com", redirect: "https://evil.com" }],
  ["Glob", { path: "src/a", pattern: "/etc/**" }],
  ["Glob", { path: "src/a", pattern: "../../etc/*" }],
  ["Glob", { path: "src/a", pattern: ".{.,}/*" }],
  ["Glob", { path: "src/a", pattern: "{/etc/*,x}" }],
  ["Glob", { path: "src/a", pattern: "@(.)./x" }],
  ["Glob", { path: "src/a", pattern: "~/x" }],
  ["Glob", { path: "src/a", pattern: "C:/x" }],
  ["Glob", { path: "src/a", pattern: ["/etc/**"] }],
  ["Read", { file_path: "src/a", target_file: "/etc/passwd" }],
  ["Edit", { path: "src/a", targetFile: "/etc/passwd" }],
  ["Write", { filePath: "src/a", "source-path": "/etc/passwd" }],
  ["WebFetch", { url: "https://example.com\\@evil.com" }],
  ["WebFetch", { url: "https://example.com@evil.com" }],
  ["WebFetch", { url: "https://evil.com#@example.com", proxy: "http://evil.com" }],
  ["WebFetch", { url: "https://exa\tmple.com" }],
  ["WebFetch", { url: "https://example.com%2eevil.com" }],
])("%s with %j has no certain subject", (tool, input) => {
  expect(toToolCall(tool, input).subject).toBeUndefined();
});

test.each([
  ["Bash", { command: "git status", description: "Shows it", timeout: 5, run_in_background: false }, "git status"],
  ["Bash", { command: "git status", env: null, args: undefined }, "git status"],
  ["Glob", { path: "src", pattern: "**/*.{ts,tsx}" }, "src"],
  ["Grep", { path: "src", pattern: "/etc/|\\.\\." }, "src"],
  ["Grep", { path: "src", pattern: "a", glob: "*.{ts,tsx}", output_mode: "content", "-A": 3, "-i": true }, "src"],
  ["LS", { path: "src", ignore: ["/etc"] }, "src"],
  ["MultiEdit", { file_path: "src/a", edits: [{ old_string: "a", new_string: "b", replace_all: true }] }, "src/a"],
  ["NotebookEdit", { notebook_path: "src/a", cell_id: "1", new_source: "x", edit_mode: "replace" }, "src/a"],
  // What codex, gemini and opencode send.
  [
    "Bash",
    {
      cmd: "git log",
      yield_time_ms: 9,
      max_output_tokens: 9,
      sandbox_permissions: "require_escalated",
      justification: "?",
    },
    "git log",
  ],
  [
    "Bash",
    { command: "git log", additional_permissions: { network: true }, is_background: true, delay_ms: 1 },
    "git log",
  ],
  ["Bash", { command: "git log", prefix_rule: ["git"], tty: false, login: false }, "git log"],
  ["Grep", { dir_path: "src", pattern: "a", include_pattern: "*.ts", max_matches_per_file: 3, no_ignore: true }, "src"],
  ["LS", { dir_path: "src", file_filtering_options: { respect_git_ignore: true } }, "src"],
  ["Edit", { file_path: "src/a", instruction: "x", old_string: "a", new_string: "b", allow_multiple: true }, "src/a"],
  ["Edit", { filePath: "src/a", oldString: "a", newString: "b", replaceAll: true }, "src/a"],
  ["Edit", { filepath: "src/a", diff: "--- a" }, "src/a"],
  ["WebFetch", { url: "https://example.com", format: "markdown", timeout: 9 }, "example.com"],
  ["Read", { file_path: "src/a", offset: 1, limit: 5 }, "src/a"],
  ["WebFetch", { url: "https://Example.com:8443/a?b#c", prompt: "Read it" }, "example.com"],
  ["WebFetch", { domain: "example.com" }, "example.com"],
])("%s with %j has the subject %j", (tool, input, subject) => {
  expect(toToolCall(tool, input).subject).toBe(subject);
});

test.each(["cwd", "workdir", "working_directory", "directory", "dir_path"])("%s is the folder of a command", (name) => {
  const call = toToolCall("Bash", { command: "git log", [name]: "/tmp/a" });
  expect(call).toEqual({ tool: "Bash", subject: "git log", folder: "/tmp/a" });
});

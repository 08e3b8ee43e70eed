import { expect, test } from "vitest";
import { toToolCall } from "./tool-call.ts";

test.each([
  ["Bash", { command: "git status", args: ["push"] }],
  ["Bash", { command: "git status", shell: "/tmp/evil" }],
  ["Bash", { command: "git status", commands: ["rm -rf ~"] }],
  ["Bash", { command: "git apply", stdin: "patch" }],
  ["Bash", { command: "git log", environment: { GIT_PAGER: "evil" } }],
  ["Bash", { command: "git log", Environment_Variables: { GIT_PAGER: "evil" } }],
  ["Bash", { command: "git log", CMD: "evil" }],
  ["Bash", { stdin: "git status" }],
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
  ["Read", { file_path: "src/a", offset: 1, limit: 5 }, "src/a"],
  ["WebFetch", { url: "https://Example.com:8443/a?b#c", prompt: "Read it" }, "example.com"],
  ["WebFetch", { domain: "example.com" }, "example.com"],
])("%s with %j has the subject %j", (tool, input, subject) => {
  expect(toToolCall(tool, input).subject).toBe(subject);
});

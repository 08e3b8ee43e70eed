import type { Canaries, HostileCase } from "./hostile-packages.ts";

/** Blocks `# /// script` of Python scripts (PEP 723) that try to reach a canary. */
export function inlineCases({ server }: Canaries, evil: HostileCase["files"]): readonly HostileCase[] {
  const wheel = `${server}/x-1.0-py3-none-any.whl`;
  const block = (title: string, lines: string, more: HostileCase["files"] = {}): HostileCase => ({
    title: `a block with ${title}`,
    tool: "block",
    files: { "scripts/a.py": `# /// script\n${lines.replace(/^/gm, "# ")}\n# ///\n`, ...more },
  });
  const list = (...items: readonly string[]): string => `dependencies = [${items.map((one) => `"${one}"`).join(", ")}]`;
  return [
    block("name @ url", list(`x @ ${wheel}`)),
    block("a url", list(wheel)),
    block("git", list(`x @ git+${server}/x.git`)),
    block("an option", list(`--index-url=${server}/simple`, "x")),
    block("an option and its value", list("--index-url", `${server}/simple`, "x")),
    block("an option in escapes", list(`\\u002d-index-url=${server}/simple`, "x")),
    block("an option in a literal text", `dependencies = ['--index-url=${server}/simple', 'x']`),
    block("an option over several lines", `dependencies = [\n  "--index-url",\n  "${server}/simple", # why\n  "x",\n]`),
    block("a text over several lines", `dependencies = ["""x @\\\n  ${wheel}"""]`),
    block("a quoted key", `"dependencies" = ["x @ ${wheel}"]`),
    block("an escaped key", `"depend\\u0065ncies" = ["x @ ${wheel}"]`),
    block("a folder", list("./evil"), evil),
    block("a file of requirements", list("-r", "more.txt"), { "more.txt": "./evil\n", ...evil }),
    block("an index for uv", `${list("x")}\n[tool.uv]\nindex-url = "${server}/simple"`),
    block("a dotted index for uv", `${list("x")}\ntool.uv.index-url = "${server}/simple"`),
    block("an index for uv, in a table of tool", `${list("x")}\n[tool]\nuv = { index-url = "${server}/simple" }`),
    block("a wheel that names a source of the registry", list("trojan")),
  ];
}

/** Installs what such a block lists, as the specification and uv read it, and passes it to pip unchecked. */
export const INSTALL_BLOCK = `
import re, subprocess, sys, tomllib
script = open("scripts/a.py").read()
block = re.search(r"(?m)^# /// script$\\s(?P<content>(^#(| .*)$\\s)+)^# ///$", script)["content"]
data = tomllib.loads("".join(line[2:] if line.startswith("# ") else line[1:] for line in block.splitlines(True)))
index = data.get("tool", {}).get("uv", {}).get("index-url")
extra = ["--index-url", index] if index else []
sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", *sys.argv[1:], *extra, *data["dependencies"]]))
`;

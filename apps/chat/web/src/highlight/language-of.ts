/** The grammar for what a code block or a file says about its language, such as `ts` or `a/b.py`. */
export function languageOf(label: string): string | undefined {
  const word = label.slice(label.lastIndexOf("/") + 1).toLowerCase();
  const extension = word.slice(word.lastIndexOf(".") + 1);
  return GRAMMARS.get(word) ?? GRAMMARS.get(extension);
}

const GRAMMARS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c: "c h cc cpp c++ hpp",
    csharp: "csharp cs c#",
    css: "css scss less",
    diff: "diff patch",
    docker: "docker dockerfile",
    go: "go golang",
    html: "html htm vue svelte",
    ini: "ini cfg conf properties env",
    java: "java",
    json: "json jsonc json5 jsonl",
    kotlin: "kotlin kt kts",
    make: "make makefile mk",
    markdown: "markdown md mdx",
    python: "python py py3 pyi",
    rust: "rust rs",
    shellscript: "shellscript shell sh bash zsh console",
    sql: "sql postgres postgresql mysql sqlite",
    swift: "swift",
    toml: "toml",
    tsx: "tsx ts typescript jsx js javascript mjs cjs mts cts",
    xml: "xml svg plist",
    yaml: "yaml yml",
  }).flatMap(([grammar, words]) => words.split(" ").map((word) => [word, grammar] as const)),
);

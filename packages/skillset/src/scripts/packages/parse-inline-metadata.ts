import type { RefusedPackage } from "../../core/script/packages.ts";
import { type ParsedPackages, parseRequirement, shown } from "./parse-requirements.ts";

/**
 * Parses the block `# /// script` of a Python script (PEP 723). Returns undefined if there is none. Reads the part of
 * TOML that such blocks use; everything else is refused, because another reader could understand it differently.
 */
export function parseInlineMetadata(script: string, file: string): ParsedPackages | undefined {
  const lines = script.split(/\r\n|\n|\r/);
  const start = lines.indexOf("# /// script");
  if (start === -1) return undefined;
  const refuse = (index: number, why: string): ParsedPackages => ({
    packages: [],
    refused: [{ file, line: index + 1, message: why }],
  });
  const end = lines.findIndex((line, index) => index > start && line === "# ///");
  if (end === -1) return refuse(start, "the block '# /// script' has no end. End it with a line '# ///'");
  if (lines.indexOf("# /// script", start + 1) !== -1)
    return refuse(start, "the script has several blocks '# /// script'. Keep one");
  const block = lines
    .slice(start + 1, end)
    .map((line) => /^#(?: (.*))?$/.exec(line)?.[1] ?? (line === "#" ? "" : null));
  const broken = block.indexOf(null);
  if (broken !== -1) return refuse(start + 1 + broken, "every line of the block must start with '# '");
  return parseBlock(block as string[], start + 1, file);
}

function parseBlock(block: readonly string[], offset: number, file: string): ParsedPackages {
  const packages: string[] = [];
  const refused: RefusedPackage[] = [];
  const refuse = (index: number, message: string): number => refused.push({ file, line: offset + index + 1, message });
  let inList = false;
  let inTool = false;
  let hasList = false;
  for (const [index, line] of block.entries()) {
    let rest = line.trim();
    if (!inList) {
      if (rest === "" || rest.startsWith("#")) continue;
      if (rest.startsWith("[")) {
        inTool = /^\[\[?tool\.[\w."-]+\]?\]\s*(?:#.*)?$/.test(rest);
        if (!inTool) refuse(index, `unknown table ${shown(rest)}. Only 'dependencies' is used`);
      }
      if (REDIRECT.test(rest)) refuse(index, `packages from other places are not allowed: ${shown(rest)}`);
      if (inTool || /^requires-python\s*=\s*(?:"[^"\\]*"|'[^']*')\s*(?:#.*)?$/.test(rest)) continue;
      const list = /^dependencies\s*=\s*\[(.*)$/.exec(rest);
      if (list === null || hasList) {
        refuse(index, `not understood: ${shown(rest)}. Write dependencies = ["requests>=2.31"]`);
        continue;
      }
      [inList, hasList, rest] = [true, true, (list[1] ?? "").trim()];
    }
    while (inList && rest !== "" && !rest.startsWith("#")) {
      const item = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:,\s*|(?=\]|#|$))/.exec(rest);
      if (item === null) {
        if (!/^\]\s*(?:#.*)?$/.test(rest)) refuse(index, `not a list of texts: ${shown(rest)}`);
        inList = false;
        break;
      }
      const parsed = parseRequirement((item[1] ?? item[2] ?? "").trim());
      if (parsed.text === undefined) refuse(index, parsed.reason);
      else packages.push(parsed.text);
      rest = rest.slice(item[0].length);
    }
  }
  if (inList) refuse(block.length - 1, "the list of dependencies has no end");
  return { packages, refused };
}

/** Settings of tools that name other places for packages. To ignore them would install other packages than are meant. */
const REDIRECT =
  /\b(?:sources?|index|indexes|index-url|extra-index-url|find-links|override-dependencies|git|url|path)\b\s*[\].=]/i;

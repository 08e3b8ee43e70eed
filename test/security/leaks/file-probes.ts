import { ocr, other, type Probe, SCRIPT, withToken } from "./probe.ts";

const WRITE = `import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";\nconst out = process.env.OUTPUT_DIR;\n`;

/** A script that writes files. What a caller, a model and a script of another skill can see is searched. */
function writes(name: string, code: string, decode?: Probe["decode"]): Probe {
  return {
    name: `files: ${name}`,
    look: async (host) => {
      const dump = `import { readdirSync, readFileSync } from "node:fs";
for (const path of readdirSync(process.env.OUTPUT_DIR, { recursive: true })) {
  console.log(path);
  try { console.log(readFileSync(process.env.OUTPUT_DIR + "/" + path, "latin1").slice(-3000)); } catch {}
}`;
      const files = { ...ocr(WRITE + withToken(code)), ...other(withToken(dump)) };
      const { session } = await host.open(files);
      const seen: unknown[] = [await session.scripts.run("ocr", SCRIPT)];
      for (const { path, kind } of await session.scripts.outputs.list()) {
        seen.push(path);
        if (kind !== "file") continue;
        seen.push(
          Buffer.from(await session.scripts.outputs.read(path))
            .toString("latin1")
            .slice(-3000),
        );
        seen.push(
          await session
            .files("ocr")
            .read(`$OUTPUT_DIR/${path}`)
            .catch((error: unknown) => String(error)),
        );
      }
      // The naive host passes the secret to every script, so only what the file contains counts.
      const result = await session.scripts.run("other", SCRIPT);
      seen.push("stdout" in result ? result.stdout : result);
      return seen.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
    },
    ...(decode && { decode }),
  };
}

/** Secrets in what a script writes. */
export const fileProbes: readonly Probe[] = [
  writes("a text", 'writeFileSync(out + "/log.txt", "GET /?key=" + token + "\\n");'),
  writes("JSON", 'writeFileSync(out + "/a.json", JSON.stringify({ token, list: [token] }));'),
  writes("base64", 'writeFileSync(out + "/a.txt", Buffer.from("a" + token).toString("base64"));', (seen) =>
    [...seen.matchAll(/[\w+/=]{12,}/g)].map(([word]) => Buffer.from(word, "base64").toString("latin1")).join("\n"),
  ),
  writes("UTF-16", 'writeFileSync(out + "/a.txt", token, "utf16le");', (seen) =>
    seen.replaceAll("\0", "").replaceAll("\\u0000", ""),
  ),
  writes("bytes", 'writeFileSync(out + "/a.bin", Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(token)]));'),
  writes("the end of a large file", 'writeFileSync(out + "/a.txt", "line\\n".repeat(500_000) + token);'),
  writes("a name", 'writeFileSync(out + "/" + token.replace("/", "-"), "a");', (seen) =>
    seen.replaceAll("Canary-", "Canary/"),
  ),
  writes("the name of a folder", 'mkdirSync(out + "/" + token, { recursive: true });'),
  writes("the name of a link, which is removed", 'symlinkSync("/etc", out + "/" + token.replace("/", "-"));', (seen) =>
    seen.replaceAll("Canary-", "Canary/"),
  ),
  writes("a file with two names", 'writeFileSync(out + "/a.txt", token); linkSync(out + "/a.txt", out + "/b.txt");'),
];

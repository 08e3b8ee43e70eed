import { CANARY, ocr, type Probe, SCRIPT, withToken } from "./probe.ts";

const PRINT = "process.stdout.write(";

/** A script that prints the secret in some form. What a caller gets and what is shown live are searched. */
function prints(name: string, code: string, decode?: Probe["decode"]): Probe {
  return {
    name,
    look: async (host) => {
      const { session, live } = await host.open(ocr(withToken(code)));
      const result = await session.scripts.run("ocr", SCRIPT);
      return `${"stdout" in result ? result.stdout + result.stderr : ""}\n${JSON.stringify(result)}\n${live.join("")}`;
    },
    ...(decode && { decode }),
  };
}

/** A script in another language. */
function runs(name: string, path: string, script: string): Probe {
  return {
    name,
    look: async (host) => {
      const { session, live } = await host.open(ocr(script, path));
      return JSON.stringify(await session.scripts.run("ocr", path)) + live.join("");
    },
  };
}

const bytes = (seen: string, pattern: RegExp, radix: number): string =>
  Buffer.from([...seen.matchAll(pattern)].map(([, digits = ""]) => Number.parseInt(digits, radix))).toString("latin1");
const base64 = (seen: string): string =>
  [...seen.matchAll(/[\w+/=\n-]{12,}/g)].map(([word]) => Buffer.from(word, "base64").toString("latin1")).join("\n");

/** Secrets in what a script prints. */
export const outputProbes: readonly Probe[] = [
  prints("stdout", `${PRINT}token);`),
  prints("stderr", "process.stderr.write(token);"),
  prints("a sentence", `console.log("The token is " + token + ".");`),
  prints("twice in a row", `${PRINT}token + token);`),
  prints("without the last character, at a limit", `${PRINT}token.slice(0, -1));`, (seen) =>
    seen.includes(CANARY.slice(0, -1)) ? CANARY : "",
  ),
  prints(
    "in two parts with a pause",
    `${PRINT}token.slice(0, 9)); await new Promise((resolve) => setTimeout(resolve, 150)); ${PRINT}token.slice(9));`,
  ),
  prints(
    "one character at a time",
    `for (const one of token) { ${PRINT}one); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
  ),
  prints("upper case", `console.log(token.toUpperCase());`, (seen) =>
    seen.includes(CANARY.toUpperCase()) ? CANARY : "",
  ),
  prints("with spaces between the characters", `console.log([...token].join(" "));`, (seen) => seen.replace(/ /g, "")),
  prints("in lines of four characters", `console.log(token.match(/.{1,4}/g).join("\\n"));`, (seen) =>
    seen.replace(/\n/g, ""),
  ),
  prints("in colours", String.raw`console.log([...token].map((one) => "\x1b[31m" + one + "\x1b[0m").join(""));`),
  prints("backwards", `console.log([...token].reverse().join(""));`, (seen) => [...seen].reverse().join("")),
  prints("in base64", `console.log(Buffer.from(token).toString("base64"));`, base64),
  prints("in base64 after one byte", `console.log(Buffer.from("a" + token).toString("base64"));`, base64),
  prints("in base64 after two bytes", `console.log(Buffer.from("ab" + token + "cd").toString("base64"));`, base64),
  prints(
    "in base64 with lines",
    `console.log(Buffer.from("{" + token + "}").toString("base64").match(/.{1,16}/g).join("\\n"));`,
    base64,
  ),
  prints("in base64url", `console.log(Buffer.from(token).toString("base64url"));`, base64),
  prints("in hex", `console.log(Buffer.from(token).toString("hex"));`, (seen) => bytes(seen, /([0-9a-f]{2})/g, 16)),
  prints(
    "in hex with colons",
    `console.log(Buffer.from(token).toString("hex").toUpperCase().match(/../g).join(":"));`,
    (seen) => bytes(seen, /([0-9A-F]{2})(?:[:\s]|$)/g, 16),
  ),
  prints(
    "as escaped bytes",
    String.raw`console.log([...Buffer.from(token)].map((one) => "\\x" + one.toString(16)).join(""));`,
    (seen) => bytes(seen, /\\x([0-9a-f]{2})/g, 16),
  ),
  prints(
    "as hex numbers",
    `console.log([...Buffer.from(token)].map((one) => "0x" + one.toString(16)).join(", "));`,
    (seen) => bytes(seen, /0x([0-9a-f]{2})/g, 16),
  ),
  prints("as a list of bytes", `console.log(Buffer.from(token).toJSON().data.join(","));`, (seen) =>
    bytes(seen, /(\d+)/g, 10),
  ),
  prints("in a URL", `console.log("https://a.example/?key=" + encodeURIComponent(token));`, (seen) =>
    unescapeUrl(seen),
  ),
  prints("in a form", `console.log(new URLSearchParams({ key: token }).toString());`, (seen) => unescapeUrl(seen)),
  prints("in JSON", `console.log(JSON.stringify({ deep: [{ token }] }));`),
  prints("as a key in JSON", `console.log(JSON.stringify({ [token]: 1 }));`),
  prints(
    "in JSON that escapes a part",
    String.raw`console.log(JSON.stringify({ token }).replace("Can", "\\u0043\\u0061\\u006e"));`,
    (seen) => /"json":(\{[^}]*\})/.exec(seen)?.[1] ?? "",
  ),
  prints(
    "in Unicode escapes",
    String.raw`console.log([...token].map((one) => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0")).join(""));`,
    (seen) => bytes(seen, /\\u00([0-9a-f]{2})/g, 16),
  ),
  prints("in an exception", `throw new Error("401 for " + token);`),
  prints("in a rejection", `await Promise.reject({ headers: { authorization: "Bearer " + token } });`),
  prints("all variables", `console.log(process.env, process.argv);`),
  runs("by a shell that traces", "scripts/probe.sh", 'set -x; curl_key="$OCR_TOKEN"; true "$curl_key"\n'),
  runs("with env", "scripts/probe.sh", "env\n"),
  runs("as the name of a missing command", "scripts/probe.sh", '"$OCR_TOKEN"\n'),
  runs("in the exit message of a shell", "scripts/probe.sh", ': "$' + '{MISSING:?no $OCR_TOKEN}"\n'),
  runs("in a Python traceback", "scripts/probe.py", 'import os\nraise KeyError(os.environ["OCR_TOKEN"])\n'),
  runs(
    "by Python's repr",
    "scripts/probe.py",
    'import os\nprint(dict(os.environ), repr(os.environ["OCR_TOKEN"].encode()))\n',
  ),
  limited(
    "at the limit for output",
    { output: 4_000 },
    `${PRINT}"x".repeat(4_000 - token.length + 1) + token);`,
    (seen) => (seen.includes(CANARY.slice(0, -2)) ? CANARY : ""),
  ),
  limited("before the time limit", { time: 1_500 }, "console.log(token); setInterval(() => {}, 1000);"),
];

function limited(
  name: string,
  limits: { readonly time?: number; readonly output?: number },
  code: string,
  decode?: Probe["decode"],
): Probe {
  return {
    name,
    look: async (host) => {
      const { session, live } = await host.open(ocr(withToken(code)), { limits });
      return JSON.stringify(await session.scripts.run("ocr", SCRIPT)) + live.join("");
    },
    ...(decode && { decode }),
  };
}

function unescapeUrl(seen: string): string {
  return seen.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

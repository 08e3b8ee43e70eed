/**
 * The program that runs a toolset's module in a copy of the skill. It is written twice, so that a runner chooses the
 * interpreter for JavaScript or for TypeScript. No file of a skill can have the random names.
 */
const NAME = `.skillset-toolset-${crypto.randomUUID()}`;

export const TOOLSET_PROGRAMS = { javascript: `${NAME}.mjs`, typescript: `${NAME}.mts` } as const;

/** What the program reads from stdin. */
export interface ToolsetProgramInput {
  /** Starts the line with the result, so that what a tool prints is not mistaken for it. */
  readonly marker: string;
  readonly file: string;
  readonly export: string;
  readonly call?: { readonly tool: string; readonly input: unknown };
}

/** The line with the result. */
export type ToolsetProgramOutput = { readonly value: unknown } | { readonly error: string };

/**
 * Valid JavaScript and TypeScript. Only ASCII is printed: the streams of scripts are cleaned. The functions are kept
 * first, so that a module that replaces them changes nothing.
 */
export const TOOLSET_PROGRAM_TEXT = `import process from "node:process";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { marker, file, call, ...request } = JSON.parse(text);
const { stringify } = JSON;
const exit = process.exit.bind(process);
const write = process.stdout.write.bind(process.stdout);

function print(result) {
  const ascii = stringify(result).replace(/[^ -~]/g, (one) => "\\\\u" + one.charCodeAt(0).toString(16).padStart(4, "0"));
  write("\\n" + marker + ascii + "\\n", () => exit(0));
}

function messageOf(error) {
  try {
    const { name, message } = error;
    return typeof message !== "string" ? String(error) : name === "SyntaxError" ? name + ": " + message : message;
  } catch {
    return "unknown error";
  }
}

function describe(one) {
  const { name, description, inputSchema, handler } = one ?? {};
  return { name, description, inputSchema, hasHandler: typeof handler === "function" };
}

async function run() {
  const module = await import(new URL(file, import.meta.url).href);
  if (!(request.export in module)) throw new Error("the module has no export '" + request.export + "'");
  const tools = module[request.export]?.tools;
  if (!Array.isArray(tools)) throw new Error("the export '" + request.export + "' is not an object with an array 'tools'");
  if (call === undefined) return tools.map(describe);
  const tool = tools.find((one) => one?.name === call.tool);
  if (tool === undefined) throw new Error("the tool is gone");
  return tool.handler(call.input, { signal: new AbortController().signal });
}

try {
  const value = (await run()) ?? null;
  print({ value });
} catch (error) {
  print({ error: messageOf(error) });
}
`;

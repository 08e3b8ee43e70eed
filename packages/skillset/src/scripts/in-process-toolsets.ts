import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SkillError } from "../core/base/errors.ts";
import { untilAborted } from "../core/base/until-aborted.ts";
import { IN_PROCESS, type ToolsetHost, type ToolsetRequest } from "../core/host/toolset-host.ts";
import type { Toolset } from "../core/tool/toolset.ts";
import { SkillCopies } from "./skill-copies.ts";

/** Loads modules into this program: no sandbox, no consent. A copy of each version is imported and kept. */
export function inProcessToolsets(): ToolsetHost {
  const copies = new SkillCopies();
  return {
    level: IN_PROCESS,
    run: async (request) => {
      const { call, signal } = request;
      const tools = await untilAborted(signal, importTools(copies, request));
      if (call === undefined) return tools.map(describe);
      const tool = tools.find((one) => one?.name === call.tool);
      if (tool === undefined) throw new SkillError("toolset-failed", "the tool is gone");
      return tool.handler(call.input, { signal });
    },
  };
}

async function importTools(
  copies: SkillCopies,
  { skill, digest, file, export: name, signal }: ToolsetRequest,
): Promise<Toolset["tools"]> {
  // Never released: the module may read its files at any time.
  const copy = await copies.of(skill, signal);
  if (copy.digest !== digest) throw new SkillError("toolset-failed", "the skill was changed meanwhile. Try again");
  const { href } = pathToFileURL(join(copy.folder, file));
  // Bundlers must leave the import alone: the file is known only at runtime.
  const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ href)) as Readonly<
    Record<string, Partial<Toolset> | undefined>
  >;
  if (!(name in module)) throw new SkillError("toolset-failed", `the module has no export '${name}'`);
  const tools = module[name]?.tools;
  if (Array.isArray(tools)) return tools;
  throw new SkillError("toolset-failed", `the export '${name}' is not an object with an array 'tools'`);
}

/** The same as the program in the sandbox: only what JSON can represent. */
function describe(tool: Toolset["tools"][number] | undefined): unknown {
  const { name, description, inputSchema, handler } = tool ?? {};
  return { name, description, inputSchema, hasHandler: typeof handler === "function" };
}

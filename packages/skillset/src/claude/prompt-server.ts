import { McpServer } from "@modelcontextprotocol/server";
import { NAMES } from "../core/base/limits.ts";
import { VERSION } from "../core/base/version.ts";
import type { ModelTool } from "../core/operations/model-tool.ts";
import { aroundCalls } from "../core/tool/model-tool.ts";
import { serveTools } from "../mcp/tools/serve-tools.ts";
import type { PromptRun } from "../prompt/prompt-run.ts";

/** Serves the tools of a prompt as an in-process MCP server: those of open sections, and those that open and read more. */
export class PromptServer {
  readonly mcp: McpServer;
  readonly #run: PromptRun<unknown>;
  #hasNewTools = false;

  constructor(run: PromptRun<unknown>) {
    this.#run = run;
    this.mcp = new McpServer({ name: NAMES.promptServer, version: VERSION });
    serveTools(this.mcp, () => this.#run.tools.map((tool) => this.#watched(tool)), { structured: false });
  }

  /** Whether there are no tools and no sections to open. */
  get isEmpty(): boolean {
    return this.#run.tools.length === 0;
  }

  /** Returns whether tools were added since the last call. The agent offers them to its model from the next turn on. */
  takeNews(): boolean {
    const hasNews = this.#hasNewTools;
    this.#hasNewTools = false;
    return hasNews;
  }

  get hasNews(): boolean {
    return this.#hasNewTools;
  }

  #watched(tool: ModelTool): ModelTool {
    if (tool.name !== NAMES.openSections) return tool;
    return aroundCalls(tool, (execute) => async (input, options) => {
      const before = new Set(this.#run.tools.map(({ name }) => name));
      const result = await execute(input, options);
      if (this.#run.tools.some(({ name }) => !before.has(name))) {
        this.#hasNewTools = true;
        this.mcp.sendToolListChanged();
      }
      return result;
    });
  }
}

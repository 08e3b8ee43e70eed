import { McpServer } from "@modelcontextprotocol/server";
import { NAMES } from "../core/base/limits.ts";
import { VERSION } from "../core/base/version.ts";
import { type ModelTool, settle } from "../core/tool/model-tool.ts";
import { serveTools } from "../mcp/tools/serve-tools.ts";
import type { PromptEventListener } from "../prompt/events.ts";
import { type OpenSectionsOptions, openSections, openSectionsTool } from "../prompt/open-sections.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";

/** Serves the tools of a prompt as an in-process MCP server: those of open sections, and the tool that opens more. */
export class PromptServer {
  readonly mcp: McpServer;
  #rendered: RenderedPrompt;
  #hasNewTools = false;
  readonly #options: { readonly session?: OpenSectionsOptions["session"]; readonly onEvent: PromptEventListener };

  constructor(
    rendered: RenderedPrompt,
    options: { readonly session?: OpenSectionsOptions["session"]; readonly onEvent: PromptEventListener },
  ) {
    this.#rendered = rendered;
    this.#options = options;
    this.mcp = new McpServer({ name: NAMES.promptServer, version: VERSION });
    serveTools(this.mcp, () => this.#offered(), { structured: false });
  }

  /** Whether there are no tools and no sections to open. */
  get isEmpty(): boolean {
    return this.#offered().length === 0;
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

  #offered(): readonly ModelTool[] {
    const opener = openSectionsTool(this.#rendered);
    return [
      ...this.#rendered.tools,
      ...(opener === undefined ? [] : [{ ...opener, isAvailable: () => true, execute: this.#open }]),
    ];
  }

  readonly #open: ModelTool["execute"] = (input) =>
    settle(async () => {
      const { text, keys, rendered, tools } = openSections(this.#rendered, input, this.#options);
      this.#rendered = rendered;
      if (tools.length > 0) {
        this.#hasNewTools = true;
        this.mcp.sendToolListChanged();
      }
      return { text, data: { keys } };
    });
}

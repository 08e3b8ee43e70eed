import type { ToolSet } from "ai";
import type { LiveScript } from "../../shared/api.ts";
import type { LiveScripts } from "../skills/live-scripts.ts";
import type { AnswerWriter } from "./chat-turn.ts";

/** The tool that runs a skill's scripts, as models see it. */
export const RUN_SCRIPT = "skills_run_script";

interface FollowOptions {
  readonly chatId: string;
  readonly scripts: LiveScripts;
  readonly writer: AnswerWriter;
  /** The paths of attached files that scripts can read. */
  readonly attached: readonly string[];
}

/** Streams the questions and the output of scripts to the page. Calls run one after the other, as their scripts do. */
export function followScripts<Tools extends ToolSet>(tools: Tools, options: FollowOptions): Tools {
  const { chatId, scripts, writer, attached } = options;
  const tool = tools[RUN_SCRIPT];
  const execute = tool?.execute;
  if (execute === undefined) return tools;
  let last: Promise<unknown> = Promise.resolve();
  const followed: typeof execute = (input, calling) => {
    const call = {
      id: calling.toolCallId,
      files: [...attached, ...Object.keys((input as { files?: object } | undefined)?.files ?? {})],
      onChange: (data: LiveScript | null) => writer.write({ type: "data-script", data, transient: true }),
    };
    const done = last.then(() => scripts.follow(chatId, call, async () => execute(input, calling)));
    last = done.catch(() => {});
    return done;
  };
  return { ...tools, [RUN_SCRIPT]: { ...tool, execute: followed } };
}

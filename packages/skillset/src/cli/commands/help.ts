import { defineCommand } from "../command-line/command.ts";
import { definitionList, helpWidth } from "../command-line/layout.ts";
import { TOPICS } from "../command-line/topics.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { createPaint } from "../terminal/paint.ts";
import { write } from "../terminal/write.ts";
import { findCommand } from "./all.ts";
import { helpFor, helpOverview } from "./help-text.ts";

export const help = defineCommand({
  about: "Shows help for a command or a topic. Without an argument it lists all commands.",
  arguments: [
    { name: "COMMAND", about: `a command, or a topic: ${Object.keys(TOPICS).join(", ")}`, completes: "commands" },
  ],
  options: {},
  examples: [
    ["skillset help validate", "the same as 'skillset validate --help'"],
    ["skillset help exit-codes", "the exit codes of all commands"],
  ],
  async run({ positionals: [name, ...rest] }, io) {
    if (rest.length > 0) throw new UsageError("'skillset help' takes one command or topic.");
    const paint = createPaint(io.stdout, io.env);
    const width = helpWidth(io.stdout);
    await write(io.stdout, [await text(name, width, paint)]);
    return 0;
  },
});

async function text(name: string | undefined, width: number, paint: ReturnType<typeof createPaint>): Promise<string> {
  if (name === undefined) return helpOverview(width, paint);
  const topic = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
  if (topic !== undefined) return `${definitionList(topic.rows, width).join("\n")}\n`;
  const [key, entry] = findCommand(name, Object.keys(TOPICS));
  return helpFor(key, entry, await entry.load(), width, paint);
}

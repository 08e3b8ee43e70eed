import type { ToolSet } from "ai";
import type { LedgerEntry, Session } from "skillset";
import type { OperationResult } from "skillset/adapter";
import type { Denial, ToolOutput } from "../../shared/api.ts";

/** Adds the rule that denied a call to its output, so that its card can say what to change. */
export function noteDenials<Tools extends ToolSet>(tools: Tools, session: Session): Tools {
  const noted = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const noting: typeof execute = async (input, options) => {
      const denials: DeniedCall[] = [];
      const stop = session.ledger.on("*", (entry) => {
        if (entry.type === "tool-denied") denials.push(entry);
      });
      try {
        return withDenial(await execute(input, options), denials);
      } finally {
        stop();
      }
    };
    return [name, { ...tool, execute: noting }];
  });
  return Object.fromEntries(noted);
}

type DeniedCall = Extract<LedgerEntry, { readonly type: "tool-denied" | "tool-outside" }>;

/** Calls can overlap, so the message decides which denial belongs to the output. */
function withDenial(output: OperationResult, denials: readonly DeniedCall[]): ToolOutput {
  if (!output.isError) return output;
  const own = denials.find(
    ({ skill, token }) => output.text.includes(`'${skill}'`) && output.text.includes(`'${token}'`),
  );
  if (own === undefined) return output;
  const { skill, field, token } = own;
  const denied: Denial = { skill, field, token };
  return { ...output, denied };
}

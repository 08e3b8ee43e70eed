import { SkillError } from "../base/errors.ts";
import type { Session } from "../session.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { type CompactedMessages, compactWith, type MessageShape } from "./compact-with.ts";

/** When and how requests of a run are shortened. */
export interface CompactRequestOptions {
  /** A request that is estimated to have more tokens is shortened to three quarters of this. */
  readonly tokens: number;
  /** Counts the tokens of a text; an estimate by default. */
  readonly countTokens?: TokenCounter;
  /** Called each time that a request was shortened. */
  readonly onCompact?: (report: Omit<CompactedMessages<never>, "messages">) => void;
}

/** What a request has besides its messages. */
export interface RequestSurroundings {
  /** The texts before the messages: instructions, catalog and notices. */
  readonly texts: readonly string[];
  /** The texts that stand in a person's message in place of `/name`. */
  readonly invocations: readonly string[];
}

/** The messages of a request, shortened if it is over the limit; the same list if it is not. */
export async function compactRequest<Native>(
  session: Session,
  messages: readonly Native[],
  { texts, invocations }: RequestSurroundings,
  { tokens, countTokens = estimateTokens, onCompact }: CompactRequestOptions,
  shape: MessageShape<Native>,
): Promise<readonly Native[]> {
  if (!(tokens >= 1)) throw new SkillError("option-invalid", `'compact.tokens' must be 1 or more, not ${tokens}.`);
  const outside = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const readings = messages.map(shape.read);
  const inside = readings.reduce(
    (sum, { text, extra }) => sum + countTokens(text) + (extra ? countTokens(extra) : 0),
    0,
  );
  if (outside + inside <= tokens) return messages;
  // Some room is left, so that the next steps keep this prefix and a provider's prompt cache with it.
  const budget = { tokens: Math.max(0, Math.floor(tokens * 0.75) - outside) };
  const { messages: kept, ...report } = await compactWith(
    session,
    messages,
    { budget, countTokens, overflow: "allow", elsewhere: texts },
    {
      ...shape,
      read: (message) => {
        const reading = shape.read(message);
        return invocations.includes(reading.text) ? { ...reading, isInvocation: true } : reading;
      },
    },
  );
  onCompact?.(report);
  return kept;
}

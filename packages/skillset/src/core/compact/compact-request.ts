import { SkillError } from "../base/errors.ts";
import type { Session } from "../session.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import {
  type CompactedMessages,
  compactWith,
  extraOf,
  type MessageReading,
  type MessageShape,
} from "./compact-with.ts";

/** When and how to shorten the requests of a run. */
export interface CompactRequestOptions {
  /** Requests with more tokens than this are shortened to three quarters of it. */
  readonly tokens: number;
  /**
   * Counts the tokens of a text.
   * @default estimateTokens
   */
  readonly countTokens?: TokenCounter;
  /** Called each time a request is shortened. */
  readonly onCompact?: (report: Omit<CompactedMessages<never>, "messages">) => void;
}

/** The parts of a request besides its messages. */
export interface RequestSurroundings {
  /** The texts before the messages: instructions, catalog and notices. */
  readonly texts: readonly string[];
  /** The texts that replace `/name` in a user's message. */
  readonly invocations: readonly string[];
}

/** Shortens the messages of a request that exceeds the limit. Returns the same list if it does not. */
export async function compactRequest<Native>(
  session: Session | undefined,
  messages: readonly Native[],
  { texts, invocations }: RequestSurroundings,
  options: CompactRequestOptions,
  shape: MessageShape<Native>,
): Promise<readonly Native[]> {
  checkOptions("The option 'compact'", options, OPTIONS);
  const { tokens, countTokens = estimateTokens, onCompact } = options;
  if (!(tokens >= 1)) throw new SkillError("option-invalid", `'compact.tokens' must be 1 or more, not ${tokens}.`);
  const outside = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const sizeOf = (reading: MessageReading): number => {
    const extra = extraOf(reading);
    return countTokens(reading.text) + (extra ? countTokens(extra) : 0) + (reading.fileTokens ?? 0);
  };
  const inside = messages.reduce((sum, message) => sum + sizeOf(shape.read(message)), 0);
  if (outside + inside <= tokens) return messages;
  // Leaves room, so that the next steps keep this prefix and the provider's prompt cache stays valid.
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

const OPTIONS: OptionTable<CompactRequestOptions> = {
  tokens: true,
  countTokens: true,
  onCompact: true,
};

import { LARGEST_BODY } from "../../../shared/limits.ts";
import { sizeText } from "../ui/size-text.ts";

/** Says that a message exceeds the server's limit, before anything is created or sent for it. */
export function sizeProblem(text: string): string | undefined {
  const bytes = new Blob([JSON.stringify(text)]).size + ENVELOPE;
  if (bytes <= LARGEST_BODY) return undefined;
  return `This message is too long: ${sizeText(bytes)}. The limit is ${sizeText(LARGEST_BODY)}.`;
}

/** The rest of the request: ids and field names. */
const ENVELOPE = 1024;

import { createContext, useContext } from "react";
import type { ConsentChoice, LiveScript } from "../../../../shared/api.ts";

/** What the cards of scripts need to know about their chat. */
export interface ChatScripts {
  readonly chatId: string;
  /** The script that asks or runs now. */
  readonly live: LiveScript | undefined;
  answer(call: string, choice: ConsentChoice): Promise<void>;
}

export const ScriptContext = createContext<ChatScripts | undefined>(undefined);

export function useChatScripts(): ChatScripts {
  const scripts = useContext(ScriptContext);
  if (scripts === undefined) throw new Error("useChatScripts needs a ScriptContext above it.");
  return scripts;
}

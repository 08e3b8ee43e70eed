import type { KeyboardEvent } from "react";

/** Whether a key in a message sends it. A keyboard on the screen has no other key for a line break than Enter. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && !matchMedia("(pointer: coarse)").matches;
}

import type { AppEvent } from "../../../shared/api.ts";
import type { SkillState } from "../../../shared/skills-api.ts";
import type { Tone } from "../ui/badge.tsx";

export const STATE_TONES: Readonly<Record<SkillState, Tone>> = {
  enabled: "good",
  disabled: "neutral",
  unavailable: "warning",
  shadowed: "neutral",
  locked: "warning",
  invalid: "bad",
};

/** "Skills changed: 1 added, 2 changed." */
export function changesText({ added, changed, removed }: Extract<AppEvent, { type: "skills-changed" }>): string {
  const parts = [
    [added, "added"],
    [changed, "changed"],
    [removed, "removed"],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length === 0 ? "Skills rescanned." : `Skills changed: ${words.join(", ")}.`;
}

/** "'pdf' was disabled." */
export function switchText({ on, off }: Extract<AppEvent, { type: "skills-switched" }>): string {
  const say = (names: readonly string[], word: string) => {
    const quoted = names.map((name) => `'${name}'`).join(", ");
    return names.length === 0 ? [] : [`${quoted} ${names.length === 1 ? "was" : "were"} ${word}.`];
  };
  return [...say(on, "enabled"), ...say(off, "disabled")].join(" ");
}

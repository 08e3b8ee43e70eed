import type { Skillset } from "../../core/skillset.ts";
import { visibleText } from "../../core/text/escape.ts";
import { fieldsOf, textOf } from "./message.ts";

/** The names of the commands that an agent announces. */
export function commandNames(announced: readonly unknown[]): ReadonlySet<string> {
  return new Set(announced.map((command) => textOf(fieldsOf(command).name)));
}

/** The skills that users may invoke, as commands for an editor. Those with the name of an agent's command are left out. */
export function skillCommands({ skills }: Skillset, taken: ReadonlySet<string>): readonly object[] {
  return skills
    .filter(({ name, userInvocable }) => userInvocable && !taken.has(name))
    .map(({ name, description, argumentHint }) => ({
      name,
      description: visibleText(description),
      // Without a hint, editors send the command as soon as it is chosen.
      input: { hint: visibleText(argumentHint ?? "") || "what to do" },
    }));
}

/** The name in `/name …`, if a text starts with one. A path such as `/etc/hosts` is not a command. */
export function commandIn(text: string): string | undefined {
  return /^\/([^\s/]+)(?=\s|$)/.exec(text)?.[1];
}

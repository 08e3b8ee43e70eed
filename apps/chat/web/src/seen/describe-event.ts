import type { ContextPart, StepEvent } from "../../../shared/steps-api.ts";
import { countText } from "../ui/count-text.ts";
import type { IconName } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";
import { numberText, timeText } from "./figures.ts";

export interface EventWords {
  readonly icon: IconName;
  readonly tone: "plain" | "skill" | "warning";
  /** "Loaded code-review" */
  readonly sentence: string;
  /** "873 tokens", "exit 0" */
  readonly details: readonly string[];
}

/** An event of the ledger in words. `parts` are those of the next request, which has what the event added. */
export function describeEvent(event: StepEvent, parts: readonly ContextPart[]): EventWords {
  const plain = (icon: IconName, sentence: string, ...details: string[]): EventWords => ({
    icon,
    tone: "plain",
    sentence,
    details,
  });
  const skill = (...words: Parameters<typeof plain>): EventWords => ({ ...plain(...words), tone: "skill" });
  const warning = (...words: Parameters<typeof plain>): EventWords => ({ ...plain(...words), tone: "warning" });
  switch (event.type) {
    case "skills-offered":
      return plain("skill", ...catalogWords(event));
    case "skills-suggested":
      return plain("skill", `Suggested ${event.skills.join(", ")}`, tokens(event.tokens));
    case "suggestion-failed":
      return warning("alert", "Could not suggest skills", event.code);
    case "skills-searched":
      return plain("search", "Searched the skills", countText(event.skills.length, "result"));
    case "skill-triggered":
      return plain("skill", `The message matches the ${event.kind} '${event.trigger}' of ${event.skill}`);
    case "skill-activated": {
      if (event.repeated) return plain("skill", `${event.skill} was already loaded`);
      const by = { user: ["by you"], trigger: ["by a trigger"], model: [], host: [] }[event.by];
      const cut = event.truncated ? ["shortened"] : [];
      return skill("skill", `Loaded ${event.skill}`, tokens(event.tokens), ...by, ...cut);
    }
    case "skill-deactivated":
      return plain("skill", `Unloaded ${event.skill}`);
    case "skill-changed":
      return warning("alert", `${event.skill} has changed since it was loaded`);
    case "skill-missing":
      return warning("alert", `${event.skill} is no longer available`);
    case "file-read": {
      const file = parts.find(
        ({ kind, skill, path }) => kind === "file" && skill === event.skill && path === event.path,
      );
      const size = file === undefined ? sizeText(event.bytes) : tokens(file.tokens);
      return skill("file", `Read ${event.path}`, size, event.skill, ...(event.truncated ? ["shortened"] : []));
    }
    case "packages-prepared":
      return describePackages(event, plain, warning);
    case "content-truncated":
      return warning("alert", `Shortened ${event.path} of ${event.skill}`, `limit ${sizeText(event.limit)}`);
    case "tool-called": {
      const words = [`Called ${event.tool}`, timeText(event.milliseconds), event.skill] as const;
      return event.outcome === "succeeded" ? plain("tool", ...words) : warning("tool", ...words, "failed");
    }
    case "toolset-failed":
      return warning("alert", `Could not load the tools '${event.toolset}' of ${event.skill}`);
    case "script-consent":
      if (event.answer === "deny") return warning("shield", "Denied", `scripts of ${event.skill}`);
      return plain("shield", `Allowed ${event.answer}`, `scripts of ${event.skill}`);
    case "tool-granted":
      return plain("shield", "Allowed without asking", `allowed-tools of ${event.skill}`, event.token);
    case "script-run":
      return describeScript(event, event.exitCode === 0 ? plain : warning);
    case "tool-denied": {
      const rule = event.field === "allowed-tools" ? "is not in allowed-tools" : "is in disallowed-tools";
      return warning("shield", `Denied: ${event.token} ${rule} of ${event.skill}`, event.tool);
    }
    case "tool-outside":
      return warning("shield", `Outside ${event.field} of ${event.skill}, logged only`, event.tool);
    case "operation-failed": {
      const what = [event.operation, event.skill].filter(Boolean).join(" ");
      return warning("alert", `Failed: ${what}`, event.code);
    }
    case "messages-left-out": {
      const left = [
        ...(event.count > 0 ? [countText(event.count, "earlier message")] : []),
        ...(event.skills.length > 0 ? [`the instructions of ${event.skills.join(", ")}`] : []),
      ];
      const what = left.length === 0 ? "Shortened the request" : `Left out ${left.join(" and ")}`;
      return warning("alert", `${what}: over the limit of ${numberText(event.limit)} tokens`);
    }
    case "attachment-left-out":
      return warning("attach", leftOutWords(event), sizeText(event.bytes));
    case "request-repeated":
      return warning("refresh", "The model was not available", `attempt ${event.attempt} of ${event.attempts}`);
  }
}

type EventOf<Type extends StepEvent["type"]> = Extract<StepEvent, { type: Type }>;
type Write = (icon: IconName, sentence: string, ...details: string[]) => EventWords;

/** "Listed 162 of 5,000 skills", with what was left out and the budget that is the reason. */
function catalogWords(event: EventOf<"skills-offered">): [sentence: string, ...details: string[]] {
  const { full, shortened, nameOnly, omitted } = event.counts;
  const listed = full + shortened + nameOnly;
  const [what, rest] =
    omitted === 0
      ? [countText(listed, "skill"), []]
      : [`${numberText(listed)} of ${countText(listed + omitted, "skill")}`, ["the rest by search"]];
  return [
    `Listed ${what}`,
    tokens(event.tokens),
    ...(shortened > 0 ? [`${numberText(shortened)} shortened`] : []),
    ...(nameOnly > 0 ? [`${numberText(nameOnly)} by name only`] : []),
    ...rest,
    ...(event.budget === undefined ? [] : [`to fit ${budgetText(event.budget)}`]),
  ];
}

function budgetText(budget: NonNullable<EventOf<"skills-offered">["budget"]>): string {
  return "tokens" in budget ? tokens(budget.tokens) : countText(budget.characters, "character");
}

function leftOutWords({ name, reason, characters = 0 }: EventOf<"attachment-left-out">): string {
  if (reason === "cut" && characters > 0) {
    return `Left out the end of ${name}: only ${countText(characters, "character")} fit`;
  }
  const why = {
    cut: "no room for its text",
    "too-large": "too large to send",
    unreadable: "the model cannot read this type of file",
    "not-stored": "no longer stored",
  };
  return `Left out ${name}: ${why[reason]}`;
}

function describePackages(
  { skill, outcome, packages, milliseconds }: EventOf<"packages-prepared">,
  plain: Write,
  warning: Write,
): EventWords {
  const what = `${countText(packages, "package")} of ${skill}`;
  if (outcome === "installed") return plain("terminal", `Installed ${what}`, timeText(milliseconds));
  if (outcome === "unchanged") return plain("terminal", `Already installed: ${what}`);
  if (outcome === "nothing-declared") return plain("terminal", `${skill} needs no packages`);
  return warning("terminal", `Could not install ${what}`, outcome);
}

function describeScript(
  { script, skill, level, outcome, exitCode, milliseconds }: EventOf<"script-run">,
  write: Write,
): EventWords {
  if (outcome === "refused") return write("terminal", `Did not run ${script}`, outcome, skill);
  const place = level === "subprocess" ? "without a sandbox" : `in ${level}`;
  const end = outcome === "exited" ? `exit ${exitCode ?? "unknown"}` : outcome.replaceAll("-", " ");
  return write("terminal", `Ran ${script} ${place}`, end, timeText(milliseconds), skill);
}

function tokens(count: number): string {
  return countText(count, "token");
}

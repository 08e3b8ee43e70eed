import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import type { InstallItem } from "../node/install/install-skills.ts";
import { checkSkillsDir } from "./section/check-skills-dir.ts";
import { emit, type PromptEventListener, SkillsInstalled } from "./section/events.ts";
import { findEnabled } from "./section/find-sections.ts";
import { type Names, nameSet } from "./section/names.ts";
import { installItems } from "./section/node-only.ts";
import type { AnyParams, Section } from "./section/section.ts";
import { SkillsSection } from "./section/skills-section.ts";

/** Options for `installAllSkills()`. */
export interface InstallAllSkillsOptions {
  /** The folder in which each skill gets its own folder. */
  readonly skillsDir: string;
  /**
   * The names of the skills to install.
   * @default all skills
   */
  readonly enabledSkills?: Names;
  /**
   * Replacement templates by dotted key, for sections that accept overrides.
   * @default {}
   */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The conversation that the events refer to. */
  readonly session?: { readonly id: string };
  /** Called when the skills are installed. */
  readonly onEvent?: PromptEventListener;
  /** Cancels the installation. */
  readonly signal?: AbortSignal;
}

/** The installed skills. Pass `names` to `render` as `installed`. */
export interface InstalledSkills {
  /** The names of the skills. */
  readonly names: readonly string[];
  /** The folders of the skills. */
  readonly paths: readonly string[];
}

interface InstallSource {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly Section[];
  readonly params: AnyParams;
  readonly overrides: ReadonlyMap<string, string>;
}

/**
 * Installs the skills of every `SkillsSection`, and emits one event. Skills inside a summarised section stay in the prompt:
 * an agent would list installed ones while that section is closed.
 */
export async function installAllSkills(
  { ns, key, sections, params, overrides }: InstallSource,
  { skillsDir, enabledSkills, session, onEvent, signal }: InstallAllSkillsOptions,
): Promise<InstalledSkills> {
  const wanted = enabledSkills && nameSet("enabledSkills", enabledSkills);
  const shown = findEnabled(sections, SkillsSection, params).filter(({ isHidden }) => !isHidden);
  const items = shown.flatMap(({ section, path, params: given }) =>
    section.installItems(given, { enabledSkills: wanted, overrides, path }),
  );
  const paths = await installItems(skillsDir, items, signal);
  const namesOf = (source: InstallItem["source"]) =>
    items.filter((item) => item.source === source).map(({ name }) => name);
  if (items.length > 0) {
    emit(
      onEvent,
      new SkillsInstalled({
        promptNs: ns,
        promptKey: key,
        inlineSkills: namesOf("inline"),
        referencedSkills: namesOf("ref"),
        skillsDir,
        sessionId: session?.id,
      }),
    );
  }
  return Object.freeze({ names: items.map(({ name }) => name), paths });
}

/** Throws for options that `installAllSkills()` does not have, and for a missing folder. */
export function checkInstallation(options: InstallAllSkillsOptions | undefined): void {
  checkOptions("installAllSkills()", options, OPTIONS);
  checkSkillsDir("installAllSkills()", options);
}

const OPTIONS: OptionTable<InstallAllSkillsOptions> = {
  skillsDir: true,
  enabledSkills: true,
  overrides: true,
  session: true,
  onEvent: true,
  signal: true,
};

/** An event about the skills of a prompt. */
export type PromptEvent = SkillsInstalled | SkillExpanded | SkillActivated;

/** Receives prompt events. */
export type PromptEventListener = (event: PromptEvent) => unknown;

/** Skills were installed in an agent's skills folder. */
export class SkillsInstalled {
  readonly type = "SkillsInstalled";
  readonly promptNs: string;
  readonly promptKey: string;
  /** The skills in code, whose SKILL.md was written. */
  readonly inlineSkills: readonly string[];
  /** The skills that were copied. */
  readonly referencedSkills: readonly string[];
  /** All installed skills. */
  readonly skills: readonly string[];
  readonly skillsDir: string;
  readonly sessionId: string | undefined;
  readonly createdAt: Date = new Date();
  readonly eventId: string = crypto.randomUUID();

  constructor(fields: Omit<SkillsInstalled, "type" | "skills" | "createdAt" | "eventId">) {
    this.promptNs = fields.promptNs;
    this.promptKey = fields.promptKey;
    this.inlineSkills = Object.freeze([...fields.inlineSkills]);
    this.referencedSkills = Object.freeze([...fields.referencedSkills]);
    this.skills = Object.freeze([...fields.inlineSkills, ...fields.referencedSkills]);
    this.skillsDir = fields.skillsDir;
    this.sessionId = fields.sessionId;
    Object.freeze(this);
  }
}

/** A model opened or read a summarised skill. */
export class SkillExpanded {
  readonly type = "SkillExpanded";
  readonly skillName: string;
  /** The dotted key of its section. */
  readonly skillKey: string;
  readonly promptNs: string;
  readonly promptKey: string;
  readonly sessionId: string | undefined;
  readonly createdAt: Date = new Date();
  readonly eventId: string = crypto.randomUUID();

  constructor(fields: Omit<SkillExpanded, "type" | "createdAt" | "eventId">) {
    this.skillName = fields.skillName;
    this.skillKey = fields.skillKey;
    this.promptNs = fields.promptNs;
    this.promptKey = fields.promptKey;
    this.sessionId = fields.sessionId;
    Object.freeze(this);
  }
}

/** A model loaded a listed skill: with a tool, or by reading its SKILL.md where the adapter sees that. */
export class SkillActivated {
  readonly type = "SkillActivated";
  readonly skillName: string;
  /** The skill's folder. */
  readonly skillPath: string;
  readonly timestamp: Date = new Date();
  readonly eventId: string = crypto.randomUUID();

  constructor({ skillName, skillPath }: Pick<SkillActivated, "skillName" | "skillPath">) {
    this.skillName = skillName;
    this.skillPath = skillPath;
    Object.freeze(this);
  }
}

/** Calls a listener. A listener that throws or rejects has no effect on the caller. */
export function emit(listener: PromptEventListener | undefined, event: PromptEvent): void {
  try {
    void Promise.resolve(listener?.(event)).catch(() => {});
  } catch {}
}

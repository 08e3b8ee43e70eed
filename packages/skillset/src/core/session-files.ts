import { checkChoice } from "./base/check-choice.ts";
import { read, readFile } from "./operations/read-skill-file.ts";
import type { Conversation } from "./session/conversation.ts";
import type { FileContent, FileReading, Operation } from "./session/options.ts";
import type { SkillFile } from "./skill/skill.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";
import { checkText } from "./text/describe-value.ts";

export interface ReadSkillFileOptions extends Operation {
  /**
   * What to return: a text, which is refused for a binary file and cut at the session's limit, or all of the bytes.
   * @default "text"
   */
  readonly as?: (typeof READ_AS)[number];
}

const READ_AS = ["text", "bytes"] as const;

/** The files of one skill, as a session reads them: each call is recorded in its ledger. */
export class SessionFiles {
  readonly #conversation: Conversation;
  readonly #name: string;

  /** Use `session.files(name)`. */
  constructor(conversation: Conversation, name: string) {
    this.#conversation = conversation;
    this.#name = name;
  }

  /** Reads a file as text, or with `as: "bytes"` with all of its bytes. */
  read(path: string, options?: ReadSkillFileOptions & { readonly as?: "text" }): Promise<FileReading>;
  read(path: string, options: ReadSkillFileOptions & { readonly as: "bytes" }): Promise<FileContent>;
  async read(path: string, options: ReadSkillFileOptions = {}): Promise<FileReading | FileContent> {
    checkText("files().read()", "the path of a file", path);
    checkOptions("files().read()", options, READ_OPTIONS);
    const { as = "text", signal } = options;
    checkChoice("as", as, READ_AS);
    return (as === "bytes" ? readFile : read)(this.#conversation, this.#name, path, { signal });
  }

  /** Lists the files of the skill or of one of its folders. */
  async list(directory = ".", options: Operation = {}): Promise<readonly SkillFile[]> {
    checkText("files().list()", "the path of a folder", directory);
    checkOptions("files().list()", options, LIST_OPTIONS);
    const { signal } = options;
    const conversation = this.#conversation;
    const name = this.#name;
    const content = { "skillset.file.path": directory };
    return conversation.follow({ operation: "list", skill: name, content }, async () =>
      conversation.find(name, "model").files.list(directory, signal && { signal }),
    );
  }
}

const LIST_OPTIONS: OptionTable<Operation> = { signal: true };
const READ_OPTIONS: OptionTable<ReadSkillFileOptions> = { as: true, signal: true };

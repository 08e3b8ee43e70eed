import type { ModelTool } from "../core/operations/model-tool.ts";
import { type RenderedSection, type RenderedSkill, Rendering, type RenderScope } from "./section/render-sections.ts";
import type { Section } from "./section/section.ts";

interface RenderSource {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly Section[];
  readonly scope: RenderScope;
}

/** A rendered prompt. */
export class RenderedPrompt {
  /** The namespace of the prompt. */
  readonly ns: string;
  /** The key of the prompt. */
  readonly key: string;
  /** The text for the model. */
  readonly text: string;
  /** The tools of the sections shown in full, without `openSectionsTool`. */
  readonly tools: readonly ModelTool[];
  /** The dotted keys of the summarised sections, which can be opened. */
  readonly summarised: readonly string[];
  /** The sections in the text, by dotted key. */
  readonly sections: ReadonlyMap<string, RenderedSection>;
  /** The enabled skills of the prompt, and their state. */
  readonly skills: readonly RenderedSkill[];
  readonly #source: RenderSource;
  readonly #rendering: Rendering;

  /** Use `prompt.render()`, which validates its options. */
  constructor(source: RenderSource) {
    const rendering = new Rendering(source.sections, source.scope);
    this.ns = source.ns;
    this.key = source.key;
    this.text = rendering.blocks.join("\n\n");
    this.tools = Object.freeze([...rendering.tools.values()]);
    this.sections = rendering.sections;
    this.summarised = Object.freeze(
      Array.from(rendering.sections.values(), ({ key, visibility }) => (visibility === "summary" ? key : "")).filter(
        (key) => key !== "",
      ),
    );
    this.skills = Object.freeze(rendering.skills);
    this.#source = source;
    this.#rendering = rendering;
    Object.freeze(this);
  }

  /** The dotted keys opened so far. */
  get open(): readonly string[] {
    return [...this.#source.scope.open];
  }

  /** Returns the prompt with more sections open. */
  reopen(keys: Iterable<string>): RenderedPrompt {
    const { scope } = this.#source;
    return new RenderedPrompt({ ...this.#source, scope: { ...scope, open: new Set([...scope.open, ...keys]) } });
  }

  /** Returns the prompt with other names for its tools. */
  renamed(toolName: (name: string) => string): RenderedPrompt {
    return new RenderedPrompt({ ...this.#source, scope: { ...this.#source.scope, toolName } });
  }

  /** Returns the name that the model sees for a tool. */
  toolName(name: string): string {
    return this.#source.scope.toolName(name);
  }

  /** Returns the text of one section and its subsections; empty if it is not in the text. */
  textOf(key: string): string {
    return this.#rendering.textOf(key);
  }
}

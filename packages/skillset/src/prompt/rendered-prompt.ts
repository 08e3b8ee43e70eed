import type { ModelTool } from "../core/tool/model-tool.ts";
import { type RenderedSection, type RenderedSkill, Rendering, type RenderScope } from "./section/render-sections.ts";
import type { Section } from "./section/section.ts";

interface RenderSource {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly Section[];
  readonly scope: RenderScope;
}

/** A prompt as a model gets it. */
export class RenderedPrompt {
  /** The namespace and key of the prompt. */
  readonly ns: string;
  readonly key: string;
  readonly text: string;
  /** The tools of the sections that show all of themselves; `openSectionsTool` is not among them. */
  readonly tools: readonly ModelTool[];
  /** The dotted keys of the sections that are summarised, and can be opened. */
  readonly summarised: readonly string[];
  /** The sections that are in the text, by their dotted keys. */
  readonly sections: ReadonlyMap<string, RenderedSection>;
  /** The skills of the prompt that are enabled, and what became of each. */
  readonly skills: readonly RenderedSkill[];
  readonly #source: RenderSource;
  readonly #rendering: Rendering;

  /** Use `prompt.render()`, which checks what it is given. */
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

  /** The dotted keys that were opened so far. */
  get open(): readonly string[] {
    return [...this.#source.scope.open];
  }

  /** The same prompt with more sections open. */
  reopen(keys: Iterable<string>): RenderedPrompt {
    const { scope } = this.#source;
    return new RenderedPrompt({ ...this.#source, scope: { ...scope, open: new Set([...scope.open, ...keys]) } });
  }

  /** The part of the text that is one section, with the sections in it; empty when it is not in the text. */
  textOf(key: string): string {
    return this.#rendering.textOf(key);
  }
}

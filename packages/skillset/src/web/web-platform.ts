import { SkillError } from "../core/base/errors.ts";
import type { SuppliedEnv } from "../core/load/load-options.ts";
import { mayBeUnmet } from "../core/load/may-be-unmet.ts";
import type { FolderLoad, Platform } from "../core/load/platform.ts";
import { toFolderSource } from "../core/load/skill-input.ts";
import type { SkillCandidate } from "../core/source/select.ts";

/** A browser, a worker or an edge function: no folders, and no programs. */
export class WebPlatform implements Platform<never> {
  readonly bases = {};
  readonly #env: SuppliedEnv | undefined;

  constructor(env: SuppliedEnv | undefined) {
    this.#env = env;
  }

  open(): FolderLoad<never> {
    return {
      read: async (source) => {
        const { path } = toFolderSource(source);
        const message = `Skills cannot be loaded from '${path}': this program runs without Node, so it has no folders. Define the skills in code, import them from an MCP server with importSkills() from skillset/mcp, or compile them in with @skillset/unplugin. In Next.js, a route on the Node.js runtime has folders.`;
        throw new SkillError("option-invalid", message);
      },
      candidates: (found) => found,
      close: () => {},
    };
  }

  async findUnmet(candidates: readonly SkillCandidate[]): Promise<readonly SkillCandidate[]> {
    if (!candidates.some(mayBeUnmet)) return candidates;
    // Loaded on demand: few skills have requirements.
    const { findUnmetOnWeb } = await import("./unmet-requirements.ts");
    return findUnmetOnWeb(candidates, this.#env);
  }
}

import { connectAgent } from "../../../packages/skillset/src/acp/index.ts";
import { OPERATION_IDS } from "../../../packages/skillset/src/core/operations/all.ts";
import { startScriptedAgent } from "../../../packages/testing/src/index.ts";
import { openSkills, type Surface, scriptOf, seenIn } from "./surface.ts";

/** Agents that take the MCP servers over one transport only. */
export const ACP = {
  "ACP, HTTP bridge": acpSurface("http"),
  "ACP, stdio bridge": acpSurface("stdio"),
};

function acpSurface(mcp: "http" | "stdio"): Surface {
  return {
    // The agent asks first, and its client denies tools that nobody offered.
    refusal: /^The user refused this call\.$/,
    play: async (world) => {
      const { telemetry, events } = world;
      await using scripted = await startScriptedAgent(scriptOf(world), { mcp });
      await using agent = await connectAgent(scripted.app, { operations: { include: OPERATION_IDS } });
      const skills = await (await openSkills(world)).session({ telemetry });
      await agent.session({ skills }).think().text("Tea, please.").run();
      return { ...seenIn(scripted.requests), events };
    },
  };
}

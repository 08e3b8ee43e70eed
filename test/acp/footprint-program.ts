// A program that uses an agent in many ways, with and without errors: `node test/acp/footprint-program.ts '{ … }'`.

import { type AgentCommand, type ConnectAgentOptions, connectAgent } from "../../packages/skillset/src/acp/index.ts";
import { SkillError } from "../../packages/skillset/src/index.ts";

export interface FootprintSetup {
  /** The command of an agent whose runs succeed. */
  readonly good: AgentCommand;
  /** The command of an agent that waits for its model forever. */
  readonly waiting: AgentCommand;
  readonly crashing: AgentCommand;
  readonly withoutMcp: AgentCommand;
  /** The folder of a skill. */
  readonly stored: string;
  readonly cwd: string;
}

async function useAgents({ good, waiting, crashing, withoutMcp, stored, cwd }: FootprintSetup): Promise<void> {
  const told: unknown[] = [];
  for (const bridge of ["http", "stdio"] as const) {
    await using agent = await connectAgent(good, { cwd, bridge });
    const think = (from: Pick<typeof agent, "think">) =>
      from
        .think({ type: "number" })
        .text("Go")
        .skill(stored)
        .skill({ name: "in-code", description: "Is in code.", body: "Hello." })
        .tool("note", "Notes", () => "noted");
    told.push(await think(agent).run());
    await using session = agent.session();
    told.push(await think({ think: session.think.bind(session) }).run());
  }
  const fail = async (command: AgentCommand, options: ConnectAgentOptions, timeout: number, signal?: AbortSignal) => {
    await using agent = await connectAgent(command, { cwd, bridgeTimeout: 300, ...options });
    const asked = agent.think({ type: "number" }).text("Go").skill(stored).timeout(timeout);
    const stream = (signal === undefined ? asked : asked.signal(signal)).stream();
    told.push(await stream.result.catch((error: Error) => (error instanceof SkillError ? error.code : error.name)));
  };
  for (const bridge of ["http", "stdio"] as const) {
    await fail(waiting, { bridge }, 500);
    await fail(waiting, { bridge }, 60_000, AbortSignal.timeout(500));
    await fail(crashing, { bridge }, 60_000);
  }
  await fail(withoutMcp, {}, 60_000);
  await fail(withoutMcp, { inject: true }, 60_000);
  await fail({ command: "no-such-agent-program" }, {}, 60_000).catch(({ code }) => told.push(code));
  console.log(JSON.stringify({ pid: process.pid, told }));
}

if (import.meta.main) await useAgents(JSON.parse(process.argv[2] ?? ""));

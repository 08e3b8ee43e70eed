/** An optional package, and its supported versions as in docs/runtimes.md. */
export interface Sdk {
  readonly entry: string;
  readonly name: string;
  readonly range: string;
  /** The oldest supported version. */
  readonly oldest: string;
  /** Packages that a program needs beside the oldest version, and beside the newest. */
  readonly beside?: { readonly oldest: string; readonly newest: string };
  /** A version that is refused, and the first calls with it. */
  readonly wrong: { readonly version: string; readonly calls: readonly string[] };
}

/** An SDK of models, and how the adapter contract runs on it. */
export interface ModelSdk extends Sdk {
  readonly driver: string;
  readonly adapters: readonly string[];
}

/** Another package, with a program that uses it and what the program prints. */
export interface OtherSdk extends Sdk {
  readonly program: string;
  readonly prints: string;
}

export const MODEL_SDKS: readonly ModelSdk[] = [
  {
    entry: "skillset/ai-sdk",
    name: "ai",
    range: "^7.0.0",
    oldest: "7.0.0",
    beside: { oldest: "@ai-sdk/openai-compatible@3.0.0", newest: "@ai-sdk/openai-compatible@3" },
    driver: "ai-sdk",
    adapters: ["aiSdkStream", "aiSdkAgent"],
    wrong: {
      version: "6",
      calls: [`(await import("skillset/ai-sdk")).withSkills({ session, request: { messages: [] } })`],
    },
  },
  {
    entry: "skillset/openai",
    name: "openai",
    range: ">=5.0.0 <8",
    oldest: "5.0.0",
    driver: "openai",
    adapters: ["openaiChat", "openaiResponses"],
    wrong: {
      version: "4",
      calls: ["runChat", "runResponses"].map(
        (run) => `(await import("skillset/openai")).${run}({
          client: new (await import("openai")).OpenAI({ apiKey: "any" }),
          session,
          request: { model: "any", messages: [], input: "" },
        })`,
      ),
    },
  },
  {
    entry: "skillset/openai-agents",
    name: "@openai/agents",
    range: ">=0.14.0 <1",
    oldest: "0.14.0",
    driver: "openai-agents",
    adapters: ["openaiAgents"],
    wrong: {
      version: "0.13",
      calls: [`(await import("skillset/openai-agents")).withSkills({ session, request: { input: "" } })`],
    },
  },
  {
    entry: "skillset/anthropic",
    name: "@anthropic-ai/sdk",
    range: ">=0.50.1 <2",
    oldest: "0.50.1",
    driver: "anthropic",
    adapters: ["anthropic"],
    wrong: {
      version: "0.41",
      calls: [
        `(await import("skillset/anthropic")).runMessages({
          client: new (await import("@anthropic-ai/sdk")).Anthropic({ apiKey: "any" }),
          session,
          request: { model: "any", max_tokens: 1, messages: [] },
        })`,
      ],
    },
  },
];

const EVALUATE = `(async () => {
  const { evaluatePrompt } = await import("skillset/claude");
  const { MarkdownSection, Prompt, PromptTemplate } = await import("skillset/prompt");
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Say hello." });
  return evaluatePrompt({ prompt: new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [task] })) });
})()`;

/** A server with OAuth, and the answers to a valid token, an expired one, and one that is signed with another key. */
const VERIFY = `
  import { createServer } from "node:http";
  import { exportJWK, generateKeyPair, SignJWT } from "jose";
  import { createSkillset } from "skillset";
  import { createSkillsServer, requireOAuth } from "skillset/mcp";
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const other = (await generateKeyPair("ES256")).privateKey;
  const keys = [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256" }];
  const login = createServer(({ url, headers }, response) => {
    const issuer = "http://" + headers.host;
    const endpoints = { authorization_endpoint: issuer + "/a", token_endpoint: issuer + "/t" };
    const metadata = { issuer, jwks_uri: issuer + "/keys", response_types_supported: ["code"], ...endpoints };
    response.setHeader("content-type", "application/json").end(JSON.stringify(url === "/keys" ? { keys } : metadata));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => login.once("listening", resolve));
  const issuer = "http://127.0.0.1:" + login.address().port;
  const resource = "https://skills.example.com/mcp";
  const server = await requireOAuth(createSkillsServer(await createSkillset([])), { issuers: [issuer], resource });
  const statusOf = async (expires, key) => {
    const claims = new SignJWT({}).setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" }).setIssuer(issuer).setAudience(resource);
    const authorization = "Bearer " + (await claims.setExpirationTime(expires).sign(key));
    const headers = { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    return (await server.fetch(new Request(resource, { method: "POST", headers, body }))).status;
  };
  const statuses = [await statusOf("1h", privateKey), await statusOf(1, privateKey), await statusOf("1h", other)];
  process.stdout.write(statuses.join(" "), () => process.exit());
`;

const TRACE = `
  import { metrics, trace } from "@opentelemetry/api";
  import { createSkillset, defineSkill } from "skillset";
  import { openTelemetry } from "skillset/opentelemetry";
  const names = new Set();
  const context = { traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 };
  const startSpan = (name) => names.add(name) && trace.wrapSpanContext(context);
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  const instrument = (name) => ({ add: () => names.add(name), record: () => names.add(name) });
  const meter = { createCounter: instrument, createHistogram: instrument };
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
  const session = await (await createSkillset([tea])).session({ telemetry: await openTelemetry() });
  await session.activate("tea");
  console.log(["skill.activate", "skillset.activations"].filter((name) => names.has(name)).join(" "));
`;

export const OTHER_SDKS: readonly OtherSdk[] = [
  {
    entry: "skillset/claude",
    name: "@anthropic-ai/claude-agent-sdk",
    range: ">=0.3.282 <1",
    oldest: "0.3.282",
    // Without Claude Code itself, which has 380 MB, an evaluation gets no further than this.
    program: `await ${EVALUATE}.catch(({ code, message }) => console.log(code, /not found/.exec(message)?.[0]));`,
    prints: "agent-failed not found",
    wrong: { version: "0.3.281", calls: [EVALUATE] },
  },
  {
    entry: "skillset/opentelemetry",
    name: "@opentelemetry/api",
    range: "^1.3.0",
    oldest: "1.3.0",
    program: TRACE,
    prints: "skill.activate skillset.activations",
    wrong: { version: "1.2", calls: [`(await import("skillset/opentelemetry")).openTelemetry()`] },
  },
  {
    entry: "skillset/mcp",
    name: "jose",
    range: ">=4.5.0 <7",
    oldest: "4.5.0",
    program: VERIFY,
    prints: "200 401 401",
    wrong: {
      version: "4.4",
      calls: [
        `(await import("skillset/mcp")).requireOAuth(
          { fetch() {} },
          { issuers: ["https://login.example.com"], resource: "https://skills.example.com/mcp" },
        )`,
      ],
    },
  },
];

import type { OAuthClientProvider } from "@modelcontextprotocol/client";

type Stored<Method extends keyof OAuthClientProvider> = Awaited<
  ReturnType<Extract<OAuthClientProvider[Method], (...input: never[]) => unknown>>
>;

export interface MemoryLogin {
  readonly provider: OAuthClientProvider;
  /** The URLs that a person was sent to. */
  readonly visited: URL[];
  /** The tokens, which a test can change. */
  tokens: Stored<"tokens">;
  /** Opens the last URL, and returns the parameters of the redirect. */
  login(): Promise<URLSearchParams>;
}

/** An OAuth provider of the MCP SDK that keeps everything in memory, and a person who visits each URL at once. */
export function createMemoryLogin(
  visit: (url: URL) => Promise<URLSearchParams>,
  known?: Stored<"clientInformation">,
): MemoryLogin {
  let client = known;
  let discovery: Stored<"discoveryState">;
  let verifier = "";
  const visited: URL[] = [];
  const memory: MemoryLogin = {
    tokens: undefined,
    visited,
    login: async () => {
      const url = visited.at(-1) ?? new URL("none:");
      const parameters = await visit(url);
      if (parameters.get("state") !== url.searchParams.get("state")) throw new Error("The state does not match.");
      return parameters;
    },
    provider: {
      redirectUrl: "http://127.0.0.1:9/callback",
      clientMetadata: { client_name: "test", redirect_uris: ["http://127.0.0.1:9/callback"] },
      state: () => crypto.randomUUID(),
      clientInformation: () => client,
      saveClientInformation: (information) => {
        client = information;
      },
      tokens: () => memory.tokens,
      saveTokens: (tokens) => {
        memory.tokens = tokens;
      },
      redirectToAuthorization: (url) => void visited.push(url),
      saveCodeVerifier: (text) => {
        verifier = text;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState: (state) => {
        discovery = state;
      },
      discoveryState: () => discovery,
      invalidateCredentials: (scope) => {
        if (scope === "all" || scope === "tokens") memory.tokens = undefined;
        if (scope === "all" || scope === "client") client = undefined;
      },
    },
  };
  return memory;
}

import type { AuthProvider, Client, FetchLike, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { SkillError } from "../../core/base/errors.ts";
import { NAMES } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { VERSION } from "../../core/base/version.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { toModelMessage } from "../../core/text/model-message.ts";
import { findUrlFault } from "../transport/secure-url.ts";
import { createOneLogin, type OneLogin } from "./one-login.ts";

/** Options for `connectHttp`. */
export interface ConnectHttpOptions {
  /**
   * Gets access tokens: an OAuth provider of the MCP SDK, or an object whose `token()` returns a token. The server's URL
   * must use https, or http on this machine.
   */
  readonly authProvider?: AuthProvider | OAuthClientProvider;
  /**
   * Waits until the person has logged in at the URL that `authProvider.redirectToAuthorization` got, checks `state`, and
   * returns the parameters of the redirect. Without it, a required login is an error. While connecting, `signal` is the
   * one of these options; stop waiting when it aborts.
   */
  readonly login?: (options: { readonly signal?: AbortSignal }) => Promise<URLSearchParams>;
  /**
   * The name under which the program connects.
   * @default "skillset"
   */
  readonly name?: string;
  /**
   * The program's version.
   * @default the version of this package
   */
  readonly version?: string;
  /** Cancels connecting, also while the person logs in. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to an MCP server over HTTP, for `importSkills`. If the server requires a login or more scopes, now or later,
 * it waits for `login` and repeats the request. Close the client when you no longer need the skills.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { connectHttp, importSkills } from "skillset/mcp";
 *
 * const client = await connectHttp("https://skills.example.com/mcp", {
 *   authProvider: { token: async () => process.env.SKILLSET_TOKEN },
 * });
 * const imported = await importSkills(client, { server: "acme", approve: () => true });
 * const skillset = await createSkillset([imported]);
 * console.log(skillset.names);
 * await client.close();
 * ```
 */
export async function connectHttp(url: string | URL, options: ConnectHttpOptions = {}): Promise<Client> {
  checkOptions("connectHttp()", options, OPTIONS);
  const { authProvider, login, name = NAMES.library, version = VERSION, signal } = options;
  if (authProvider !== undefined) checkUrl(url);
  const sdk = await import("@modelcontextprotocol/client");
  const oneLogin = createOneLogin();
  // Errors of the SDK do not contain the server's reason.
  let reason: string | undefined;
  const noteReason: FetchLike = async (target, init) => {
    const response = await fetch(target, init);
    if (response.status === 401 || response.status === 403) {
      reason = sdk.extractWWWAuthenticateParams(response).errorDescription;
      oneLogin.refused(init?.body, new Headers(init?.headers).get("authorization"));
    }
    return response;
  };
  const refusal = (error: unknown): unknown => {
    // The authorization server refused, or its answer could not be used.
    if (error instanceof sdk.OAuthError || error instanceof sdk.IssuerMismatchError)
      return authorizationFailed(new URL(url), error.message, error);
    const isRefused =
      error instanceof sdk.UnauthorizedError ||
      error instanceof sdk.OAuthClientFlowError ||
      (error instanceof sdk.SdkHttpError && (error.status === 401 || error.status === 403));
    return isRefused ? authorizationFailed(new URL(url), reason ?? error.message, error) : error;
  };
  for (let logins = 0; ; logins++) {
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
      fetch: noteReason,
      ...(authProvider && { authProvider }),
    });
    const client = new sdk.Client({ name, version }, { versionNegotiation: { mode: "auto" } });
    const finishLogin = async (until?: AbortSignal): Promise<void> => {
      const redirect = await untilAborted(until, Promise.resolve(login?.(until ? { signal: until } : {})));
      await untilAborted(until, transport.finishAuth(redirect ?? new URLSearchParams()));
    };
    const needsLogin = (error: unknown): boolean => error instanceof sdk.UnauthorizedError && login !== undefined;
    try {
      // The SDK does not pass the signal to the provider of tokens.
      await untilAborted(signal, client.connect(transport, signal && { signal }));
      repeatAfterLogin(transport, oneLogin, { needsLogin, finishLogin, refusal });
      return client;
    } catch (error) {
      if (signal?.aborted) await client.close().catch(() => {});
      signal?.throwIfAborted();
      if (!needsLogin(error) || logins >= MOST_LOGINS) throw refusal(error);
      // A transport connects only once, so the next attempt has a new one.
      await finishLogin(signal).catch((failed) => {
        signal?.throwIfAborted();
        throw refusal(failed);
      });
    }
  }
}

/** The second one is for scopes that the first token lacks. */
const MOST_LOGINS = 2;

interface LoginSteps {
  needsLogin(error: unknown): boolean;
  finishLogin(): Promise<void>;
  /** Explains an error if the server refused the token. */
  refusal(error: unknown): unknown;
}

/** Requests of a connected client wait for a login too. */
function repeatAfterLogin(
  transport: Transport,
  oneLogin: OneLogin,
  { needsLogin, finishLogin, refusal }: LoginSteps,
): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const sendOrLogIn = async (): Promise<void> => {
      try {
        await send(message, options);
      } catch (error) {
        if (!needsLogin(error)) throw error;
        await finishLogin();
        await send(message, options);
      }
    };
    await oneLogin.send(JSON.stringify(message), sendOrLogIn).catch((error) => Promise.reject(refusal(error)));
  };
}

/** Whoever reads a token on its way can use it. */
function checkUrl(url: string | URL): void {
  const fault = findUrlFault(url);
  if (fault !== undefined) throw new SkillError("option-invalid", `'url' is not valid with 'authProvider': ${fault}.`);
}

function authorizationFailed({ host }: URL, reason: string, cause: unknown): SkillError {
  // The reason is a text of the server's.
  const why = toModelMessage(reason).replace(/\.$/, "");
  const message = `The MCP server at ${host} refused access: ${why}. Log in again, or use a token for this server.`;
  return new SkillError("authorization-failed", message, { cause });
}

const OPTIONS: OptionTable<ConnectHttpOptions> = {
  authProvider: true,
  login: true,
  name: true,
  version: true,
  signal: true,
};

import type { OAuthOptions } from "../../../mcp/index.ts";
import type { OptionSpecs, OptionValues } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";

/** Options for tokens that an authorization server issues. */
export const OAUTH_OPTIONS = {
  "oauth-issuer": {
    type: "string",
    multiple: true,
    value: "URL",
    about: "accept access tokens (JWT) of this authorization server instead of one token; requires the package jose",
  },
  "oauth-resource": {
    type: "string",
    value: "URL",
    about: "the URL of the MCP endpoint that clients use; required with --allowed-host",
  },
  "oauth-audience": {
    type: "string",
    value: "NAME",
    about: "the audience that tokens must have, if it is not the URL of the MCP endpoint",
  },
  "oauth-scope": { type: "string", multiple: true, value: "NAME", about: "a scope that tokens must have" },
} as const satisfies OptionSpecs;

type Values = OptionValues<typeof OAUTH_OPTIONS> & {
  readonly "token-file"?: string;
  readonly "allowed-host"?: readonly string[];
};

/** Refuses options that contradict each other. */
export function checkOAuthOptions(values: Values): void {
  const names = ["oauth-resource", "oauth-audience", "oauth-scope"] as const;
  const given = names.find((name) => values[name] !== undefined);
  if (values["oauth-issuer"] === undefined) {
    if (given !== undefined) throw new UsageError(`'--${given}' needs '--oauth-issuer'.`);
    return;
  }
  if (values["token-file"] !== undefined)
    throw new UsageError(
      "Use either '--token-file' or '--oauth-issuer': with an issuer, each client has its own token.",
    );
  if (values["allowed-host"] !== undefined && values["oauth-resource"] === undefined)
    throw new UsageError(
      "'--oauth-issuer' with '--allowed-host' needs '--oauth-resource URL', the URL that clients use.",
    );
}

export function toOAuth(values: Values, onError: (error: Error) => void): OAuthOptions | undefined {
  const issuers = values["oauth-issuer"];
  if (issuers === undefined) return undefined;
  const { "oauth-resource": resource, "oauth-audience": audience, "oauth-scope": scopes } = values;
  return {
    issuers,
    onError,
    ...(resource !== undefined && { resource }),
    ...(audience !== undefined && { audience }),
    ...(scopes !== undefined && { scopes }),
  };
}

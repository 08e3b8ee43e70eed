/** The parts of `oidc-provider` that the tests use. The package has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  interface Interaction {
    readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }

  interface Grant {
    addOIDCScope(scopes: string): void;
    addResourceScope(resource: string, scopes: string): void;
    save(): Promise<string>;
  }

  interface Context {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    respond?: boolean;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: new (properties: {
      accountId: string | undefined;
      clientId: unknown;
    }) => Grant;
    callback(): RequestListener;
    on(event: "grant.success", listener: (context: { oidc: { params: Record<string, unknown> } }) => void): void;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}

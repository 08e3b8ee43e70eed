/** Requests that share one refresh or login. */
export interface OneLogin {
  /**
   * Sends a request with this body. If `refused` says so, sends it again once another request has a new token.
   */
  send(body: string, work: () => Promise<void>): Promise<void>;
  /** Called for each refused request, with its token. Throws if another request is already getting a new one. */
  refused(body: unknown, token: string | null): void;
}

/**
 * Lets one request at a time get a new token. Several refreshes with one token would look like theft to an
 * authorization server, and several logins would overwrite each other's secrets.
 */
export function createOneLogin(): OneLogin {
  /** The running attempts, by the body of their request, which contains its id. */
  const sending = new Map<unknown, Attempt>();
  let owner: Attempt | undefined;
  let replaced: string | undefined;
  const end = (attempt: Attempt): void => {
    attempt.hasEnded = true;
    if (sending.get(attempt.body) === attempt) sending.delete(attempt.body);
    if (owner === attempt) owner = undefined;
  };
  const attempt = async (body: string, work: () => Promise<void>, repeats: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Nobody may wait for it.
    promise.catch(() => {});
    const own: Attempt = { body, outcome: promise, mayRepeat: repeats > 0, hasEnded: false };
    try {
      sending.set(body, own);
      await work();
      if (owner === own) replaced = own.token;
      end(own);
      resolve();
    } catch (error) {
      end(own);
      if (error instanceof SendAgain) {
        await error.after;
        return attempt(body, work, repeats - 1);
      }
      reject(error);
      throw error;
    }
  };
  return {
    send: (body, work) => attempt(body, work, MOST_REPEATS),
    refused: (body, token) => {
      const own = sending.get(body);
      if (own === undefined || own.hasEnded || own === owner) return;
      if (owner !== undefined) throw new SendAgain(owner.outcome);
      // The token was replaced while this request was on its way.
      if (token !== null && token === replaced && own.mayRepeat) throw new SendAgain(Promise.resolve());
      owner = own;
      if (token !== null) own.token = token;
    },
  };
}

const MOST_REPEATS = 2;

interface Attempt {
  readonly body: string;
  /** Settles when the request has been answered or has failed. */
  readonly outcome: Promise<void>;
  readonly mayRepeat: boolean;
  hasEnded: boolean;
  /** The token that was refused. */
  token?: string;
}

class SendAgain extends Error {
  readonly after: Promise<void>;

  constructor(after: Promise<void>) {
    super("Another request is getting a new token.");
    this.after = after;
  }
}

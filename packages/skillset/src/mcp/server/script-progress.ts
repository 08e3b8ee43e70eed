import type { ServerContext } from "@modelcontextprotocol/server";

/** Sends the output of a script to the client while it runs. */
export interface OutputProgress {
  add(text: string): void;
  /** Sends nothing more: the client gets the result now. */
  end(): void;
}

/** Sends output as progress, if the request asks for it: at most five notifications a second, with the newest text. */
export function reportProgress({ _meta, notify }: ServerContext["mcpReq"]): OutputProgress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { add: () => {}, end: () => {} };
  let progress = 0;
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    if (waiting === "") return;
    const message = waiting;
    waiting = "";
    // A client that is gone needs no progress.
    notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {});
    timer = setTimeout(send, INTERVAL);
  };
  return {
    add: (text) => {
      progress += text.length;
      waiting = (waiting + text).slice(-MOST_CHARACTERS);
      if (timer === undefined) send();
    },
    end: () => clearTimeout(timer),
  };
}

const INTERVAL = 200;
const MOST_CHARACTERS = 2_000;

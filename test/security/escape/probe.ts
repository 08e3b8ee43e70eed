/** What one script tries to reach. The program prints the mark if it does, and only then. */
export interface Probe {
  readonly name: string;
  readonly language: "sh" | "py" | "js";
  readonly script: string;
  /** The same script succeeds here, which shows that it can. */
  readonly control: Control;
  /** Only root can do this even without a sandbox, so the control needs root. */
  readonly needsRoot?: boolean;
  /** Arranges the skill's folder. */
  readonly links?: Readonly<Record<string, string>>;
  /** Finds out afterwards, from outside, whether the script got through, if it does not print it. */
  readonly isThrough?: (world: World) => boolean;
}

export type Control = "subprocess" | "naive bubblewrap" | "deno without the copy";

/** What is outside of the sandbox. */
export interface World {
  /** A folder that only its owner can use, with a file `canary` that contains the mark. */
  readonly outside: string;
  /** The file's content. */
  readonly mark: string;
  /** A TCP server on loopback, which answers with the mark. */
  readonly port: number;
  /** A UDP server on loopback, which answers with the mark. */
  readonly udpPort: number;
  /** The path of a Unix socket that answers with the mark. */
  readonly socket: string;
  /** The name of an abstract Unix socket that answers with the mark. */
  readonly abstractSocket: string;
  /** A process of the same user. The mark is in its arguments and its environment. */
  readonly pid: number;
  /** The original folder of the skill. */
  readonly skill: string;
}

/** Fills in what a script needs to know about the world. */
export function fill(script: string, world: World): string {
  return script.replace(/@([A-Z]+)@/g, (_, name: string) => {
    const value = {
      OUTSIDE: world.outside,
      PORT: world.port,
      UDPPORT: world.udpPort,
      SOCKET: world.socket,
      ABSTRACT: world.abstractSocket,
      PID: world.pid,
      SKILL: world.skill,
    }[name];
    if (value === undefined) throw new Error(`No value for ${name}`);
    return String(value);
  });
}

import { openSync, readdirSync, readFileSync } from "node:fs";

type Stdio = "pipe" | "ignore" | number;

let nothing: number | undefined;

/**
 * Replaces files that a child would inherit by accident with /dev/null. Node closes its own files in children, but not
 * all of those that it inherited from the program that started it. Linux only.
 */
export function withoutInherited(stdio: readonly Stdio[]): Stdio[] {
  const given = [...stdio];
  for (const fd of inheritable()) {
    if (given[fd] === "pipe" || fd < 3) continue;
    nothing ??= openSync("/dev/null", "r");
    while (given.length <= fd) given.push("ignore");
    given[fd] = nothing;
  }
  return given;
}

function inheritable(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number).filter(isInheritable);
  } catch {
    return [];
  }
}

/** The close-on-exec flag, O_CLOEXEC. */
const CLOSES = 0o2000000;

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES) === 0;
  } catch {
    return false;
  }
}

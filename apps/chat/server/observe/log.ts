/** Logs events for operators, one JSON object per line, without any chat content. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

export type Fields = Readonly<Record<string, unknown>>;

const LEVELS = ["info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

export function createLog(level: LogLevel, write: (line: string) => void = toStderr): Log {
  const at =
    (own: LogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (LEVELS.indexOf(own) < LEVELS.indexOf(level)) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level: own, event, ...fields })}\n`);
    };
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

/** Quiet on a terminal, where only the address matters; complete otherwise. */
export function logLevel(wanted: string | undefined, isTerminal: boolean): LogLevel {
  return LEVELS.find((level) => level === wanted) ?? (isTerminal ? "error" : "info");
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

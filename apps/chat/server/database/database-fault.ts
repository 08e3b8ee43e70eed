/** What keeps a database from doing its work, whatever it was asked. */
export type DatabaseFault = "unreachable" | "full";

/** Whether an error says that the database is in trouble, and not that the query was wrong. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = "" } = one as NodeJS.ErrnoException;
    if (FULL.has(code)) return "full";
    if (UNREACHABLE.test(code) || LOST.test(one.message)) return "unreachable";
  }
  return undefined;
}

/** For whoever asked: what was stored stays, and sending the same again does no harm. */
export const FAULT_SENTENCES: Readonly<Record<DatabaseFault, string>> = {
  unreachable: "The chat's database does not answer at the moment. What was stored is safe: try again in a while.",
  full: "The chat's database has no space left. What was stored is safe: make room, then try again.",
};

const FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);

// Lost connections, a server that starts, ends or has no connection to spare, one that took too long, a standby.
const UNREACHABLE =
  /^(08...|57P0[1-5]|57014|55P03|53300|53200|25006|25P03|E(CONN\w+|PIPE|TIMEDOUT|HOST\w+|NET\w+|NOTFOUND|AI_AGAIN|IO))$/;

/** What the driver throws without a code. */
const LOST =
  /^(Connection terminated|timeout (exceeded|expired)|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after)/;

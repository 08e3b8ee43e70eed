/** A failure of the database itself, independent of the query. */
export type DatabaseFault = "unreachable" | "full";

/** Returns the fault if the database failed; undefined if the query was wrong. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = "" } = one as NodeJS.ErrnoException;
    if (FULL.has(code)) return "full";
    if (UNREACHABLE.test(code) || LOST.test(one.message)) return "unreachable";
  }
  return undefined;
}

/** Whether two transactions were in each other's way. Repeating the work helps. */
export function isConflictOfWrites(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (["40P01", "40001"].includes((one as NodeJS.ErrnoException).code ?? "")) return true;
  }
  return false;
}

/** Messages for the client. Stored data is safe, and repeating a request does no harm. */
export const FAULT_SENTENCES: Readonly<Record<DatabaseFault, string>> = {
  unreachable: "The chat's database is not responding. Stored data is safe. Try again later.",
  full: "The chat's database has no space left. Stored data is safe. Free some disk space, then try again.",
};

const FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);

// Lost connections, servers that are starting, stopping or out of connections, timeouts and standbys.
const UNREACHABLE =
  /^(08...|57P0[1-5]|57014|55P03|53300|53200|25006|25P03|E(CONN\w+|PIPE|TIMEDOUT|HOST\w+|NET\w+|NOTFOUND|AI_AGAIN|IO))$/;

/** Driver errors without a code. */
const LOST =
  /^(Connection terminated|timeout (exceeded|expired)|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after)/;

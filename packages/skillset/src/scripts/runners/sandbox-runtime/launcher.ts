import { quote } from "../../process/quote.ts";

/** What the launcher starts. */
export interface Launch {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The script's variables. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether the launcher sets the variables. Otherwise they are in its environment, among others.
   * @default false
   */
  readonly setsVariables?: boolean;
  /**
   * Whether the script keeps the variables that name the proxy.
   * @default false
   */
  readonly hasNetwork?: boolean;
}

/**
 * A shell script that starts a command in the sandbox. The sandbox runtime takes one line for a shell: with a file, the
 * arguments of scripts are in no line, and may be longer. First it reports on file descriptor 3 that the sandbox runs.
 */
export function launcherText({ command, env, setsVariables = false, hasNetwork = false }: Launch): string {
  const kept = [...Object.keys(env), ...(hasNetwork ? PROXY_VARIABLES : [])];
  return [
    "{ echo started >&3; } 2>/dev/null",
    "exec 3>&-",
    `for name in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'); do`,
    `  case ${quote(` ${kept.join(" ")} `)} in *" $name "*) ;; *) unset "$name" ;; esac`,
    "done",
    ...Object.entries(env).flatMap(([name, value]) =>
      (setsVariables && /^[A-Za-z_]\w*$/.test(name)) || name === "TMPDIR" ? `export ${name}=${quote(value)}` : [],
    ),
    ...(hasNetwork ? [USE_PROXY] : []),
    // In a container, the first process waits: it would ignore signals.
    `${setsVariables ? "" : "exec "}${quote(...command)}`,
    "",
  ].join("\n");
}

/** Variables with the address of the proxy. */
export const PROXY_VARIABLES: readonly string[] = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY"],
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
];

/**
 * Without /etc/hosts, not every program knows `localhost`. Node uses a proxy only if it is told to. Every address goes to
 * the proxy, because the sandbox itself reaches none.
 */
const USE_PROXY = [
  `HTTP_PROXY=$(printf %s "$HTTP_PROXY" | sed 's/@localhost:/@127.0.0.1:/')`,
  "export HTTP_PROXY",
  'export HTTPS_PROXY="$HTTP_PROXY" ALL_PROXY="$HTTP_PROXY" NO_PROXY="" NODE_USE_ENV_PROXY=1',
  'export http_proxy="$HTTP_PROXY" https_proxy="$HTTP_PROXY" all_proxy="$HTTP_PROXY" no_proxy=""',
].join("\n");

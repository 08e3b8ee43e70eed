/** The variables that every script has. */
export const SCRIPT_VARIABLES = ["PATH", "HOME", "TMPDIR", "LANG", "OUTPUT_DIR", "SKILL_DIR"] as const;

/**
 * Whether a variable changes how programs start, or is one that every script has. A skill cannot require it: the host's
 * value would replace what the sandbox sets, or would be loaded outside of it.
 */
export function isReservedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.test(upper);
}

const NAMES: ReadonlySet<string> = new Set([
  ...SCRIPT_VARIABLES,
  ...["TMP", "TEMP", "LANGUAGE", "PWD", "OLDPWD"],
  ...["SHELL", "ENV", "IFS", "CDPATH", "PS1", "PS2", "PS4", "SHELLOPTS", "PROMPT_COMMAND", "SHLVL"],
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_V8_COVERAGE", "NODE_REPL_EXTERNAL_MODULE"],
  ...["RUBYOPT", "RUBYLIB", "GEM_HOME", "GEM_PATH", "GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES"],
  ...["SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR", "NO_COLOR"],
]);

const PREFIXES = /^(?:LD_|DYLD_|LC_|BASH|PYTHON|PERL|DENO_|MALLOC_|NPM_CONFIG_|SKILLSET_)/;

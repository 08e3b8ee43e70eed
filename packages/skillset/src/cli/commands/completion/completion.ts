import { defineCommand } from "../../command-line/command.ts";
import { anyOf } from "../../command-line/parse-command-line.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { write } from "../../terminal/write.ts";
import { SCRIPTS } from "./scripts.ts";

const SHELLS = Object.keys(SCRIPTS);

export const completion = defineCommand({
  about:
    "Prints a script that completes commands, options, values, skill names and paths. Install it once:\n" +
    "  bash  add to ~/.bashrc:  source <(skillset completion bash)\n" +
    "  zsh   add to ~/.zshrc, after compinit:  source <(skillset completion zsh)\n" +
    "  fish  skillset completion fish > ~/.config/fish/completions/skillset.fish\n" +
    "The script runs the 'skillset' on your PATH, so skillset must be installed globally.",
  arguments: [{ name: "SHELL", about: "the shell", required: true, choices: SHELLS }],
  options: {},
  examples: [
    ["source <(skillset completion bash)", "try it in this shell"],
    ["skillset completion zsh > ~/.zsh/functions/_skillset", "for zsh, in a folder of your fpath"],
    ["skillset completion fish > ~/.config/fish/completions/skillset.fish", "for fish"],
  ],
  async run({ positionals: [shell, ...rest] }, io) {
    if (shell === undefined || rest.length > 0)
      throw new UsageError("'skillset completion' needs a shell, as in 'skillset completion bash'.");
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new UsageError(`'skillset completion' supports ${anyOf(SHELLS)}, not '${shell}'.`);
    await write(io.stdout, [script]);
    return 0;
  },
});

/**
 * Completion scripts by shell. Each calls `skillset __complete` with the words up to the cursor. The answer is one
 * candidate per line, with a description after a tab, and a last line `:files`, `:folders` or `:none` for the paths
 * that the shell adds itself. The scripts run the `skillset` on the PATH, never a program from the typed line.
 */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion for skillset
_skillset() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line last=:none
  [[ $cur == "=" ]] && cur=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) last=$line ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(skillset __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # bash 3.2 has no compopt; there, names of files are completed where nothing else is.
  case $last in
    :files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur") ;;
    :folders)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur") ;;
    *) compopt +o default 2>/dev/null ;;
  esac
}
complete -o default -F _skillset skillset
`,
  zsh: `#compdef skillset
_skillset() {
  local line last=:none tab=$'\\t'
  local -a candidates
  for line in "\${(@f)$(skillset __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :*) last=$line ;;
      ?*) candidates+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}") ;;
    esac
  done
  (( $#candidates )) && _describe skillset candidates
  [[ $last != :none && $PREFIX == --*=* ]] && compset -P '*='
  case $last in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
if [[ \${funcstack[1]} == _skillset ]]; then
  _skillset "$@"
else
  compdef _skillset skillset
fi
`,
  fish: `# fish completion for skillset
function __skillset_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (skillset __complete $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path "$current"
      case ':folders'
        __fish_complete_directories "$current"
      case ':none'
      case '*'
        printf '%s\\n' $line
    end
  end
end
complete -c skillset -f -a '(__skillset_complete)'
`,
};

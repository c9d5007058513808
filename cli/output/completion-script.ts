import type { CommandUnknownOpts } from 'commander'

/** Where a word stands: the name of a command, or two, as in `fixtures export`. */
interface Place {
  path: string
  command: CommandUnknownOpts
}

const placesIn = (command: CommandUnknownOpts, path = ''): Place[] => [
  { path, command },
  ...command.commands.flatMap((child) => placesIn(child, `${path} ${child.name()}`.trim())),
]

/** The words that can follow: commands, options, and the choices of arguments. */
const wordsAt = (command: CommandUnknownOpts): string[] => [
  ...command.commands.map((child) => child.name()),
  ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  ...command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!),
  '--help',
]

const quote = (words: readonly string[]): string => `'${words.join(' ').replaceAll("'", '')}'`

/**
 * A completion for bash, and for zsh with bashcompinit. After an option with choices it offers these, after any other word the commands
 * and options of that place, and files.
 */
export function completionScript(root: CommandUnknownOpts): string {
  const places = placesIn(root)
  const choices = places.flatMap(({ path, command }) =>
    command.options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(({ long, argChoices }) => `    '${path} ${long}') words=${quote(argChoices!)} ;;`),
  )
  const words = places.map(({ path, command }) => `      '${path}') words=${quote(wordsAt(command))} ;;`)
  const names = places.map(({ path }) => `'${path}'`).join(' ')
  return `# Completion of ${root.name()} for bash, and for zsh with bashcompinit.
_bioprocess_sql() {
  local place='' word words='' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local -a places=(${names})
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    local next="\${place:+$place }$word" known
    for known in "\${places[@]}"; do [[ "$known" == "$next" ]] && place="$next"; done
  done
  case "$place $previous" in
${choices.join('\n')}
    *) case "$place" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _bioprocess_sql ${root.name()}
`
}

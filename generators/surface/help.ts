import type { CommandUnknownOpts } from 'commander'
import { program } from '../../cli/program.ts'

/** What `--help` of each command prints in a terminal of 80 columns. */
export const help = async (): Promise<string> => helpOf(await program())

function helpOf(command: CommandUnknownOpts): string {
  let text = ''
  command
    .configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 })
    // hidden ones can be used too
    .configureHelp({ visibleOptions: ({ options }) => [...options] })
    .outputHelp()
  return [text, ...command.commands.map(helpOf)].join('\n')
}

import { Argument, Command } from 'commander'
import { completionScript } from '../output/completion-script.ts'

const EXAMPLES = `
Examples:
  $ eval "$(bioprocess-sql completion bash)"
      in ~/.bashrc
  $ autoload -U bashcompinit && bashcompinit && eval "$(bioprocess-sql completion zsh)"
      in ~/.zshrc`

export const completionCommand = () =>
  new Command('completion')
    .description('Print a script that completes commands, options and their values in a shell.')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh']))
    .addHelpText('after', EXAMPLES)
    .action((_, __, command) => {
      process.stdout.write(completionScript(command.parent!))
    })

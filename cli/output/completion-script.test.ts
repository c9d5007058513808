import { execFileSync, spawnSync } from 'node:child_process'
import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { completionCommand } from '../commands/completion.ts'
import { completionScript } from './completion-script.ts'

const program = (): Command =>
  new Command('bioprocess-sql').addCommand(completionCommand()).addCommand(
    new Command('fixtures').addCommand(
      new Command('export')
        .option('--out <dir>')
        .addOption(new Option('--format <format>').choices(['csv', 'ndjson']))
        .addOption(new Option('--secret').hideHelp()),
    ),
  )

/** What bash offers for the last of the words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program())}
COMP_WORDS=(bioprocess-sql "$@"); COMP_CWORD=$#; _bioprocess_sql; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-uc', script, 'bash', ...words], { encoding: 'utf8' })
  return output.split('\n').filter((line) => line !== '')
}

test('completes commands, commands of commands, options, and choices of options and arguments', () => {
  expect(offered('')).toEqual(['completion', 'fixtures', '--help'])
  expect(offered('fix')).toEqual(['fixtures'])
  expect(offered('fixtures', 'e')).toEqual(['export'])
  expect(offered('fixtures', 'export', '--')).toEqual(['--out', '--format', '--help'])
  expect(offered('fixtures', 'export', '--out', 'x', '--format', '')).toEqual(['csv', 'ndjson'])
  expect(offered('completion', '')).toEqual(['bash', 'zsh', '--help'])
})

test('offers no word after an unknown start, so that the shell completes files', () => {
  expect(offered('fixtures', 'export', '--out', 'pla')).toEqual([])
})

const lacksZsh = spawnSync('zsh', ['--version']).status !== 0
if (lacksZsh) console.warn('Skipping the completion for zsh: install zsh to test it.')

test.skipIf(lacksZsh)('offers the same words in zsh', () => {
  // bashcompinit calls a completion with these options
  const script = `autoload -U compinit bashcompinit && compinit -u -D && bashcompinit
${completionScript(program())}
complete_as_bash() { emulate -L sh; setopt kshglob noshglob braceexpand ksharrays; _bioprocess_sql; print -l -- "\${COMPREPLY[@]}" }
COMP_WORDS=(bioprocess-sql "$@"); COMP_CWORD=$#; complete_as_bash`
  const words = ['fixtures', 'export', '--format', '']
  const { stdout, stderr } = spawnSync('zsh', ['-fc', script, 'zsh', ...words], { encoding: 'utf8' })
  expect([stdout, stderr]).toEqual(['csv\nndjson\n', ''])
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

export interface PageCommand {
  /** Path of the page. */
  readonly page: string
  /** The command on one line, without its comment. */
  readonly command: string
}

/** The commands in the shell snippets of all pages for readers, in their order. */
export function pageCommands(): PageCommand[] {
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return files
    .filter((file) => /^(README|CONTRIBUTING|SECURITY|docs\/|examples\/)/.test(file))
    .flatMap((page) =>
      commandsIn(readFileSync(join(root, page), 'utf8')).map((command) => ({ page, command })),
    )
}

function commandsIn(markdown: string): string[] {
  const snippets = [...markdown.matchAll(/^```(?:sh|bash|shell|console)\n([^]*?)^```/gm)]
  return snippets
    .flatMap(([, snippet]) => snippet!.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/\s+# .*/, '').trim())
    .filter((line) => line !== '')
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from './cli.ts'

/** Fails if a line that a page shows as output is not in the output. In the page, `…` stands for any text. */
export function expectShown(page: string, firstLine: RegExp, output: string): void {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```/gm)]
  const block = blocks.find(([, language, lines]) => language === '' && firstLine.test(lines!))?.[2]
  expect(block, `${page} shows no output with ${firstLine}.`).toBeDefined()
  expect(missingLines(block!, output)).toEqual([])
}

/** The lines of a text that are not in an output. In the text, `…` stands for any text. */
export function missingLines(text: string, output: string): string[] {
  const printed = output.split('\n')
  return text
    .split('\n')
    .map((line) => line.trimEnd().split('…'))
    .filter((parts) => !printed.some((line) => matches(line.trimEnd(), parts)))
    .map((parts) => parts.join('…'))
}

/** Whether a line has these parts, in their order, with any texts between them. */
function matches(line: string, [start = '', ...rest]: readonly string[]): boolean {
  if (!line.startsWith(start) || !line.endsWith(rest.at(-1) ?? line)) return false
  if (rest.length === 0) return line === start
  let from = start.length
  return rest.every((part) => {
    const at = line.indexOf(part, from)
    from = at + part.length
    return at !== -1
  })
}

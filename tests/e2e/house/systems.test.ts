import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

// What has to work on Windows and macOS too.

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** A word that cmd.exe, PowerShell and a POSIX shell read alike: plain, or in double quotes without anything that is replaced. */
const word = /^([\w./:=+-][\w./:=+@-]*|"[^"$`%!\\]+"|&&)$/

/** Whether the three shells read a line alike. A line has no comment, which cmd.exe would pass to the command. */
const isPortable = (line: string): boolean =>
  !/^\w+=/.test(line) && line.match(/(?:"[^"]*"|\S)+/g)!.every((one) => word.test(one))

describe('a command is not portable', () => {
  test.each([
    ['if it has single quotes', "npx a --only 'rows.*'"],
    ['if it reads a variable', 'npx a --base-url $URL'],
    ['if it reads a variable in quotes', 'npx a --base-url "$URL"'],
    ['if it sets a variable', 'DEBUG=1 npx a'],
    ['if it continues in the next line', 'npx a \\'],
    ['if it has a here-document', 'npx a <<EOF'],
    ['if it runs another command', 'npx a --token `cat token`'],
    ['if it has a comment', 'npx a # does it'],
    ['if PowerShell takes a file for a variable', 'npx a --token @token.txt'],
    ['if PowerShell takes a value for a list', 'npx a --fault status:503,rate=0.05'],
  ])('%s', (_, line) => {
    expect(isPortable(line)).toBe(false)
  })
})

test('every shell reads the commands of README.md', () => {
  const snippets = [...textOf('README.md').matchAll(/^```sh\n([^]*?)^```/gm)]
  const lines = snippets.flatMap(([, snippet]) => snippet!.trimEnd().split('\n'))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !isPortable(line))).toEqual([])
})

test.each(sources().filter((path) => /^(examples\/[\w-]+\/)?package\.json$/.test(path)))(
  'every shell reads the scripts of %s',
  (path) => {
    const { scripts = {} } = JSON.parse(textOf(path)) as { scripts?: Record<string, string> }
    expect(Object.values(scripts).filter((line) => !isPortable(line))).toEqual([])
  },
)

test('PowerShell and cmd.exe read the quotes in the examples of help texts', () => {
  const texts = sources().filter((path) => /^cli\/commands\/.*\.ts$/.test(path))
  const examples = texts.flatMap(
    (path) => textOf(path).match(/^ {2}\$ bioprocess-sql (?:.*\\\\\n)*.*/gm) ?? [],
  )
  expect(examples.length).toBeGreaterThan(20)
  const lines = examples.map((text) =>
    text
      .trim()
      .replaceAll(/ \\\\\n +/g, ' ')
      .replaceAll(/^\$ |`$/g, ''),
  )
  expect(lines.filter((line) => !isPortable(line))).toEqual([])
})

test('Windows and macOS can hold the names of all files', () => {
  const paths = sources()
  const refused = /[<>:"|?*\\\p{Cc}]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)/iu
  expect(paths.filter((path) => refused.test(path))).toEqual([])
  // a clone may be in a folder of a hundred characters; Windows has room for 260
  expect(paths.filter((path) => path.length > 150)).toEqual([])
  const folded = paths.map((path) => path.normalize('NFC').toLowerCase())
  expect(folded.filter((path, index) => folded.indexOf(path) !== index)).toEqual([])
})

test('a clone on Windows keeps the line ends of the repository', () => {
  expect(textOf('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m)
})

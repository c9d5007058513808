import type { CommandUnknownOpts } from 'commander'
import { expect, test } from 'vitest'
import { program } from '../program.ts'

const pathsIn = (command: CommandUnknownOpts, path: readonly string[] = []): (readonly string[])[] => [
  path,
  ...command.commands.flatMap((child) => pathsIn(child, [...path, child.name()])),
]
const commandAt = (root: CommandUnknownOpts, path: readonly string[]): CommandUnknownOpts =>
  path.reduce((command, name) => command.commands.find((child) => child.name() === name)!, root)

const whole = await program()
const options = pathsIn(whole).flatMap((path) =>
  commandAt(whole, path)
    .options.filter(({ required }) => required)
    .map(({ long }) => [[...path, long].join(' '), path, long!] as const),
)

/** The message with which a command line fails before its command starts; that it starts, if it does. */
async function failureOf(path: readonly string[], ...words: string[]): Promise<string> {
  const root = await program(path[0], () => {})
  commandAt(root, path).action(() => {
    throw new Error('starts')
  })
  return root.parseAsync([...path, ...words], { from: 'user' }).then(
    () => 'ends without its action',
    (error: Error) => error.message,
  )
}

test('every command is walked', () => {
  expect(new Set(options.map(([, path]) => path.join(' '))).size).toBeGreaterThan(10)
  expect(options.map(([name]) => name)).toEqual(
    expect.arrayContaining(['conformance --token', 'fixtures export --out', 'mcp --service-url']),
  )
})

test.each(options)('%s does not take the next option for its value', async (_, path, long) => {
  const sentence = `${long} has no value: another option follows it. Set the variable that the value comes from, and put it in quotes; a value that begins with hyphens is written as ${long}=VALUE.`
  // options of the command, of none, the help, and the end of options
  for (const next of ['--verbose', long, '--config', '-h', '--'])
    expect(await failureOf(path, long, next, 'text'), next).toBe(sentence)
})

test.each(options)('%s takes what is written behind =', async (_, path, long) => {
  expect(await failureOf(path, `${long}=--verbose`)).not.toMatch(/has no value/)
})

test('a hyphen, a negative number and a token with a hyphen in front are values', async () => {
  for (const words of [
    ['compare', '--out', '-'],
    ['serve', '--seed', '-3'],
    ['conformance', '--token', '-abc'],
  ]) {
    const [name, ...rest] = words as [string, ...string[]]
    expect(await failureOf([name], ...rest), words.join(' ')).not.toMatch(/has no value/)
  }
})

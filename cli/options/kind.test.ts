import { expect, test } from 'vitest'
import { program } from '../program.ts'
import { kindOf } from './kind.ts'

const { commands } = await program()
const options = [...commands, ...commands.flatMap((command) => command.commands)].flatMap((command) =>
  command.options.map((option) => ({
    ...option,
    id: `${command.name()} ${option.long}`,
    kind: kindOf(option),
  })),
)

test('every option that takes a file is of the kind that is read or of the kind that is written', () => {
  const files = options.filter(({ flags }) => /<(?:\w+=)?file>$/.test(flags))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter(({ kind }) => kind.file === undefined).map(({ id }) => id)).toEqual([])
})

test('every option that takes a token, a key or a secret is of a kind that no message repeats', () => {
  const secrets = options.filter(({ flags, description }) =>
    /<token>|secret>|@FILE/.test(flags + description),
  )
  expect(secrets.length).toBeGreaterThan(5)
  expect(secrets.filter(({ kind }) => !kind.isSecret).map(({ id }) => id)).toEqual([])
})

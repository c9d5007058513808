import type { CommandUnknownOpts, Option } from 'commander'
import { expect, test } from 'vitest'
import { checks } from '../../conformance/index.ts'
import { habits } from '../../client/conformance/habits/habit.ts'
import { openPoints, requirements } from '../../schemas/index.ts'
import { program } from '../program.ts'
import { kindOf } from './kind.ts'

const optionsIn = (command: CommandUnknownOpts): Option[] => [
  ...command.options,
  ...command.commands.flatMap(optionsIn),
]
const repeatable = optionsIn(await program()).filter((option) => kindOf(option).isRepeatable)

/** Their values may hold a comma: a token, a header, a fault such as `status:503,rate=0.2`, a reason, the name of a file. */
const withCommas = ['--accept-not-exercised', '--client', '--fault', '--header', '--report', '--token']

test('every repeatable option of ids or names takes several with commas, and says so', () => {
  const lists = repeatable.filter((option) => kindOf(option).isList)
  expect([...new Set(lists.map(({ long }) => long))].toSorted()).toEqual(
    [...new Set(repeatable.map(({ long }) => long!))].filter((long) => !withCommas.includes(long)).toSorted(),
  )
  for (const option of lists) expect(option.description, option.flags).toMatch(/\b(a,b|a=b,c=d)\b/)
  expect(new Set(lists.map(({ long }) => long))).toEqual(
    new Set(['--only', '--skip', '--accept', '--admin-host', '--variant']),
  )
})

const parsed = (long: string, ...texts: string[]) => {
  const { parseArg } = repeatable.find((option) => option.long === long)!
  return texts.reduce<unknown>((before, text) => parseArg!(text, before as never), undefined)
}

test('a list adds each of its parts to the values before', () => {
  expect(parsed('--only', 'sql.limit, REQ-SQL-2', 'delta.*')).toEqual(['sql.limit', 'REQ-SQL-2', 'delta.*'])
  expect(parsed('--variant', 'rows.shape=array, rows.case=upper')).toEqual({
    'rows.shape': 'array',
    'rows.case': 'upper',
  })
})

test('a text with a comma stays whole where it may have one', () => {
  expect(parsed('--fault', 'status:503,rate=0.2')).toEqual(['status:503,rate=0.2'])
  expect(parsed('--token', 'a,b')).toEqual(['a,b'])
  expect(parsed('--header', 'Accept: a, b')).toEqual({ Accept: 'a, b' })
})

test('no id has a comma', () => {
  const ids = [...checks, ...requirements, ...openPoints, ...habits].map(({ id }) => id)
  const variants = openPoints.flatMap((point) => point.variants.map(({ slug }) => slug))
  expect([...ids, ...variants].filter((id) => /[,\s]/.test(id))).toEqual([])
})

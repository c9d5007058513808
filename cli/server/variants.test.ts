import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandError } from '../exit.ts'
import { chooseVariants, type VariantOptions } from './variants.ts'

let folder: string
const said: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'variants-'))
  said.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const profileOf = (profile: unknown): string => {
  const file = join(folder, 'profile.json')
  writeFileSync(file, JSON.stringify(profile))
  return file
}
const choose = (options: VariantOptions, environment = '') =>
  chooseVariants(options, { BIOPROCESS_SQL_VARIANTS: environment }, (line) => said.push(line))

test('a variant comes from the flag, else the environment, else the config file, else the profile', async () => {
  const profile = profileOf({
    contract: 'v1',
    variants: {
      'rows.shape': 'wrapped',
      'rows.nulls': 'omitted',
      'http.success': '201',
      'timestamps.format': 'micros-z',
    },
    unmatched: { 'qc.types': 'numbers' },
  })
  const variants = { 'rows.shape': 'array', 'rows.nulls': 'null', 'http.success': '202' }
  const chosen = await choose(
    { profile, variants, variant: { 'rows.shape': 'prefixed' } },
    'rows.shape=array-with-columns, rows.nulls = omitted',
  )
  expect(chosen).toEqual({
    variants: {
      'rows.shape': 'prefixed',
      'rows.nulls': 'omitted',
      'http.success': '202',
      'timestamps.format': 'micros-z',
    },
    variantSources: {
      'rows.shape': 'flag',
      'rows.nulls': 'environment',
      'http.success': 'config',
      'timestamps.format': 'profile',
    },
  })
  expect(said).toEqual([
    'note: the profile recorded qc.types as "numbers", which is not a known variant; ignored.',
    expect.stringMatching(
      /^note: the profile says nothing about induction\.shape, .*, and \d+ more; the defaults/,
    ),
  ])
  expect(await choose({})).toEqual({ variants: {}, variantSources: {} })
})

test('every source of variants accepts the number and the former id of an open point', async () => {
  const profile = profileOf({
    contract: 'v1',
    variants: { 'NS-16': '201' },
    unmatched: { 'induction.shape': 'x', 'ts.format': 'y' },
  })
  const options = { profile, variants: { 'err.sqlSyntax': 'database-text' }, variant: { 'NS-12': 'array' } }
  const { variants } = await choose(options, 'NS-15=omitted')
  expect(variants).toEqual({
    'http.success': '201',
    'errors.sql-syntax': 'database-text',
    'rows.nulls': 'omitted',
    'rows.shape': 'array',
  })
  expect(said).toContain(
    'note: the profile recorded timestamps.format as "y", which is not a known variant; ignored.',
  )
  expect(said.at(-1)).toMatch(/says nothing about/)
  expect(said.at(-1)).not.toMatch(/http\.success|timestamps\.format/)
})

test.each([
  [{ contract: 'v2', variants: {} }, /is for contract v2; this server implements contract v1/],
  [{ variants: {} }, /is not a profile: .*contract/],
  [
    { contract: 'v1', variants: { 'rows.shape': 1 } },
    /is not a profile: \/variants\/rows.shape must be string\. Record/,
  ],
  [
    { contract: 'v1', variants: {}, variant: {} },
    /its top level has the key "variant"; the keys are \$schema, contract, variants, unmatched\. Record/,
  ],
  [
    { contract: 'v1', variants: { 'rows.shap': 'array', 'rows.shape': 'round', 'timestamps.format': 'x' } },
    /no setting "rows.shap".*rows.shape has no variant "round".*timestamps.format has no variant "x"/,
  ],
])('rejects the profile %j', async (profile, message) => {
  const error = await choose({ profile: profileOf(profile) }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test('the error for an unknown variant names its source', async () => {
  await expect(choose({}, 'rows.shape')).rejects.toThrow(/^Invalid variants in BIOPROCESS_SQL_VARIANTS: /)
  await expect(choose({ variant: { a: 'b' } })).rejects.toThrow(/^Invalid variants in --variant: .*"a"/)
  await expect(choose({ variants: { a: 'b' } })).rejects.toThrow(/^Invalid variants in the config file: /)
})

test('a profile may name its JSON Schema in $schema', async () => {
  const $schema = 'node_modules/bioprocess-sql-contract/schemas/profile.schema.json'
  const profile = profileOf({ $schema, contract: 'v1', variants: { 'rows.shape': 'array' } })
  expect((await choose({ profile })).variants).toEqual({ 'rows.shape': 'array' })
})

test('the rows of a recording keep the values they were recorded with', async () => {
  const profile = profileOf({
    contract: 'v1',
    variants: { 'attachments.shape': 'url', 'rows.case': 'upper' },
  })
  const { variants } = await chooseVariants({ profile }, {}, () => {}, true)
  expect(variants).toEqual({ 'rows.case': 'upper' })
  const flagged = await chooseVariants(
    { profile, variant: { 'attachments.shape': 'url' } },
    {},
    () => {},
    true,
  )
  expect(flagged.variants).toEqual({ 'rows.case': 'upper', 'attachments.shape': 'url' })
})

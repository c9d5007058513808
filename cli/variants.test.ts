import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandError } from './exit.ts'
import { chooseVariants, type VariantFlags } from './variants.ts'

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
const choose = (flags: VariantFlags, environment = '') =>
  chooseVariants(flags, { BIOPROCESS_SQL_VARIANTS: environment }, (line) => said.push(line))

test('each knob comes from the strongest that gives it', async () => {
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
  ])
  expect(await choose({})).toEqual({ variants: {}, variantSources: {} })
})

test.each([
  [{ contract: 'v2', variants: {} }, /is of contract v2, this server answers contract v1/],
  [{ variants: {} }, /is no profile: .*contract/],
  [{ contract: 'v1', variants: { 'rows.shape': 1 } }, /is no profile: /],
  [
    { contract: 'v1', variants: { 'rows.shap': 'array', 'rows.shape': 'round', 'timestamps.format': 'x' } },
    /no setting "rows.shap".*rows.shape has no variant "round".*timestamps.format has no variant "x"/,
  ],
])('the profile %j is refused', async (profile, message) => {
  const error = await choose({ profile: profileOf(profile) }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test('what gave a variant that there is not is named', async () => {
  await expect(choose({}, 'rows.shape')).rejects.toThrow(/^BIOPROCESS_SQL_VARIANTS is wrong/)
  await expect(choose({ variant: { a: 'b' } })).rejects.toThrow(
    /^--variant is wrong. There is no setting "a"/,
  )
  await expect(choose({ variants: { a: 'b' } })).rejects.toThrow(/^The config file is wrong/)
})

test('a profile may name its JSON Schema', async () => {
  const $schema = 'node_modules/bioprocess-sql-contract/schemas/profile.schema.json'
  const profile = profileOf({ $schema, contract: 'v1', variants: { 'rows.shape': 'array' } })
  expect((await choose({ profile })).variants).toEqual({ 'rows.shape': 'array' })
})

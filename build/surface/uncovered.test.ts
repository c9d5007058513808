import { describe, expect, test } from 'vitest'
import { uncovered } from './uncovered.ts'

const released = `
cli > fixtures > plot
cli > fixtures > plot > --out: <file>
cli > fixtures > plot > --out: default "gallery.html"
cli > fixtures > plot-all
cli > serve > --scale: <n>
cli > serve > --scale: default 0.1
cli > serve > --sql: any
cli > serve > --sql: documented
config > serve > scale: optional
config > serve > scale: default 0.1
config > serve > pointInterval: type "string"
document > report > checks[] > outcome: required
env > BIOPROCESS_SQL_POINT_INTERVAL: sets --point-interval of serve
env > DEBUG: read
export > ./msw
export > ./msw > createMock: (options?: MockOptions) => Mock
export > ./msw > MockOptions > token: optional string
export > ./msw > MockOptions > scale: optional number
export > ./msw > MockOptions > live > … > speed: optional number
header > server > x-mock-session
route > GET /_mock/faults
route > PUT /_mock/faults
`

/** The lines that no bullet names, after lines were dropped, or replaced by `replacement`. */
const gone = (dropped: RegExp, changelog: string, replacement?: string) =>
  uncovered(
    released,
    released
      .split('\n')
      .flatMap((line) => (dropped.test(line) ? [replacement ?? []].flat() : [line]))
      .join('\n'),
    `# Changelog\n\n## Unreleased\n\n${changelog}\n\n## 1.0.0\n\n### Removed\n\n- \`DEBUG\` \`createMock\`\n`,
  )

const removed = (text: string) =>
  `### Added\n\n- \`nothing\`.\n\n### Removed\n\n- Gone: \`${text}\`. Use another.`
const changed = (text: string) => `### Changed\n\n- \`${text}\` is different now.`

describe('a thing that is gone', () => {
  test.each([
    [/plot( |$)/, 'fixtures plot'],
    [/plot( |$)/, 'bioprocess-sql fixtures plot'],
    [/plot( |$)/, 'cli > fixtures > plot'],
    [/--out/, 'fixtures plot --out'],
    [/documented/, 'serve --sql documented'],
    [/POINT_INTERVAL|pointInterval/, 'serve --point-interval'],
    [/checks/, 'report.checks[].outcome'],
    [/DEBUG/, 'DEBUG'],
    [/createMock/, 'createMock'],
    [/createMock/, './msw > createMock'],
    [/createMock/, 'bioprocess-sql-contract/msw createMock'],
    [/token/, 'MockOptions.token'],
    [/speed/, 'MockOptions.live.speed'],
    [/MockOptions >/, 'MockOptions'],
    [/msw/, 'bioprocess-sql-contract/msw'],
    [/x-mock/, 'x-mock-session'],
    [/PUT/, 'PUT /_mock/faults'],
    [/PUT/, 'route > PUT /_mock/faults'],
    [/DEBUG/, 'env > DEBUG: read'],
  ])('%s is named by "Removed" with `%s`', (dropped, text) => {
    expect(gone(dropped, '')).not.toEqual([])
    expect(gone(dropped, removed(text))).toEqual([])
  })

  test.each([
    [/--out/, 'cli'],
    [/--out/, 'fixtures plot'],
    [/plot( |$)/, 'fixtures'],
    [/plot-all/, 'fixtures plot'],
    [/token/, 'MockOptions'],
    [/token/, 'token'],
    [/createMock/, './msw'],
    [/createMock/, 'export'],
    [/PUT/, 'GET /_mock/faults'],
    [/DEBUG/, 'env'],
  ])('%s is not named by "Removed" with `%s`, which is another thing or still there', (dropped, text) => {
    expect(gone(dropped, removed(text))).toEqual(gone(dropped, ''))
  })

  test('is not named below another heading, in prose, or by a released part', () => {
    expect(gone(/createMock/, changed('createMock'))).toHaveLength(1)
    expect(gone(/createMock/, '### Removed\n\n- createMock')).toHaveLength(1)
    expect(gone(/createMock/, '')).toHaveLength(1)
  })
})

describe('a thing that is still there and has changed', () => {
  const mock = 'export > ./msw > createMock: (options: MockOptions) => Mock'
  const token = 'export > ./msw > MockOptions > token: string'
  const scale = 'cli > serve > --scale: default 1'
  test.each([
    [/createMock/, mock, 'createMock'],
    [/token/, token, 'MockOptions.token'],
    [/token/, token, 'MockOptions'],
    [/scale: default/, scale, 'serve --scale'],
    [/scale: default/, scale, 'serve\n  --scale'],
  ])('%s is named by either heading: %s, `%s`', (dropped, replacement, text) => {
    for (const changelog of [changed(text), removed(text)])
      expect(gone(dropped, changelog, replacement), changelog).toEqual([])
  })

  test.each([
    [/createMock/, mock, './msw'],
    [/createMock/, mock, 'MockOptions'],
    [/token/, token, 'MockOptions.scale'],
    [/--scale: default/, scale, 'serve'],
    [/--scale: default/, scale, 'fixtures plot'],
  ])(
    '%s is not named by the place that it is in, nor by a neighbour: %s, `%s`',
    (dropped, replacement, text) => {
      for (const changelog of [changed(text), removed(text)])
        expect(gone(dropped, changelog, replacement), changelog).toHaveLength(1)
    },
  )
})

test('a line more needs no bullet', () => {
  expect(uncovered(released, `${released}\nenv > NEW: read\n`, '')).toEqual([])
})

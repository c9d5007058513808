/** What a user changes in a project because of one row of "If you used" in CHANGELOG.md. */
export interface Edit {
  /** The beginning of the row. */
  readonly row: string
  readonly file: string
  /** Texts that occur once in the file, and those that replace them. */
  readonly changes: readonly (readonly [from: string, to: string])[]
  /** The text in which the compiler finds an error, if it is not one of those. */
  readonly at?: string
  /** The test that fails without the edit, or the message of a command. */
  readonly shows?: string
}

const rows = "{ v_quantities: ViewRows['v_quantities'][] }"

/** What the compiler asks for. */
export const ofTypes: readonly Edit[] = [
  {
    row: 'variants or faults in a variable',
    file: 'mock.ts',
    changes: [
      ["['latency:5ms']", "['latency:5ms'] as const"],
      [
        "{ 'rows.case': process.env['ROWS_CASE'] ?? 'lower' }",
        "parseVariants({ 'rows.case': process.env['ROWS_CASE'] ?? 'lower' })",
      ],
      ['createMock, type OwnRows', 'createMock, parseVariants, type OwnRows'],
    ],
    at: 'createMock({ ...service, variants,',
  },
  {
    row: 'variants or faults in a variable',
    file: 'gate.test.ts',
    changes: [["{ 'messages.success': 'success' }", "{ 'messages.success': 'success' } as const"]],
    at: '  variants: imitated,',
  },
  {
    row: 'a duration in a variable',
    file: 'gate.test.ts',
    changes: [
      ['clock.advance(step)', 'clock.advance(step as Duration)'],
      ['{ createReference, startServer }', '{ createReference, type Duration, startServer }'],
    ],
  },
  {
    row: '`OwnRows` as the type of complete rows',
    file: 'mock.ts',
    changes: [
      [', type OwnRows }', ' }'],
      [
        'import { setupServer }',
        "import type { ViewRows } from 'bioprocess-sql-contract'\nimport { setupServer }",
      ],
      ['catalogue: OwnRows =', `catalogue: ${rows} =`],
      ['(rows: OwnRows)', `(rows: ${rows})`],
      ['(rows.v_quantities ?? []).map(({ name,', 'rows.v_quantities.map(({ name,'],
    ],
  },
  {
    row: '`setup` of `./msw/global-setup`',
    file: 'global-setup.ts',
    changes: [['(): Promise<void> => startEngine()', 'async () => void (await startEngine())']],
  },
  {
    row: '`on.rows` or a stub for a view that the contract does not have',
    file: 'dashboard.test.ts',
    changes: [["on.rows('v_batches',", 'on.rows(/v_batches/,']],
  },
  {
    row: '`remember: true`',
    file: 'gate.test.ts',
    changes: [[', remember: true', '']],
  },
  {
    row: '`--requirement-set v1`',
    file: 'gate.test.ts',
    changes: [
      [", requirementSet: 'v1'", ''],
      ['requirementSets.v1', 'requirementSets.v2'],
    ],
  },
  {
    row: '*Data quality* in a report',
    file: 'gate.test.ts',
    changes: [['  expect(report.dataQuality ?? []).toEqual([])\n', '']],
  },
]

/** What the tests ask for when the project compiles. */
export const ofTests: readonly Edit[] = [
  {
    row: 'rows of the simulated plant in snapshots',
    file: 'dashboard.test.ts',
    changes: [],
    shows: 'lists the newest runs',
  },
  {
    row: 'a stub for a view alone',
    file: 'dashboard.test.ts',
    changes: [["match: 'v_formulas'", "match: 'from v_formulas'"]],
    shows: 'labels the menu',
  },
  {
    row: '`cause` of a request',
    file: 'dashboard.test.ts',
    changes: [['mock.requests()[0]!.cause)', String.raw`mock.requests()[0]!.cause?.split('\n')[0])`]],
    shows: 'knows why a statement failed',
  },
  {
    row: '`now()` for the real time',
    file: 'mock.ts',
    changes: [['log: false })', "log: false, databaseClock: 'real' })"]],
    shows: 'sees that the clocks agree',
  },
  {
    row: 'the header `X-Mock-Session`',
    file: 'dashboard.test.ts',
    changes: [
      ['  const widget =', "  const session = mock.session({ id: 'widget-7' })\n  const widget ="],
      ['(await runs(widget)).toHaveLength(5)\n', '(await runs(widget)).toHaveLength(5)\n  session.end()\n'],
    ],
    shows: 'reads for one widget of many',
  },
  {
    row: '`errors.invalid-json:further`',
    file: 'gate.test.ts',
    changes: [["  skip: ['errors.invalid-json:further'],\n", '']],
    shows: 'No check matches "errors.invalid-json:further"',
  },
]

/** What the pipeline asks for, in the order in which its commands fail. */
export const ofPipeline: readonly Edit[] = [
  {
    row: '`--requirement-set v1`',
    file: 'ci.sh',
    changes: [[' --requirement-set v1', '']],
    shows: "argument 'v1' is invalid",
  },
  {
    row: '`errors.invalid-json:further`',
    file: 'ci.sh',
    changes: [['--skip errors.invalid-json:further ', '']],
    shows: 'No check matches "errors.invalid-json:further"',
  },
  {
    row: '`bioprocess-sql proxy --judge`',
    file: 'ci.sh',
    changes: [
      ['node_modules/.bin/bioprocess-sql proxy --target "$URL" --judge >judged.txt &\n', ''],
      [`until grep -o 'http://127[^ ]*' judged.txt >address.txt; do kill -0 $!; sleep 0.1; done\n`, ''],
      [`BIOPROCESS_SQL_BASE_URL="$(head -1 address.txt)" node load.mjs\n`, ''],
      ['kill $!\nwait $!\n', 'npx bioprocess-sql traffic seen.har\n'],
    ],
    shows: "unknown command 'proxy'",
  },
]

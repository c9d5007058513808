import { describe, expect, test } from 'vitest'
import { oneIn } from '../support/one-in.ts'
import { RepositoryCopy } from '../support/repository-copy.ts'

// Follows the recipes of CONTRIBUTING.md in a copy of the repository.

type Edit = (copy: RepositoryCopy) => void

interface Recipe {
  /** In the order of the recipe. */
  readonly steps: Readonly<Record<string, Edit>>
  /** Commands that succeed after all steps. */
  readonly accepted: readonly string[]
  readonly mistakes: readonly Mistake[]
}

/** A command that fails after all steps but some. */
interface Mistake {
  readonly title: string
  /** The names of the forgotten steps. */
  readonly without: readonly string[]
  /** Takes the place of the first of them. */
  readonly instead?: Edit
  readonly command: string
  /** What the output of the command contains. */
  readonly names: readonly string[]
}

const parts = ['schemas', 'contract', 'open-points', 'open-points-of-mock', 'coverage']
const generator = `tsx generate.ts ${parts.map((part) => `--only ${part}`).join(' ')}`
const generate: Edit = (copy) => {
  const { status, output } = copy.run(generator)
  expect(status, output).toBe(0)
}
const upToDate = `${generator} --check`

const types = 'tsc --noEmit'
const stale = 'vitest run --project unit generate.test.ts -t "up to date"'

/** A step that replaces texts of one file. */
const edit =
  (path: string, ...pairs: readonly (readonly [text: string, replacement: string])[]): Edit =>
  (copy) => {
    for (const [text, replacement] of pairs) copy.replace(path, text, replacement)
  }

const selfProof = (title: string) => `vitest run --project engine proof/self-proof.test.ts -t "${title}"`
const register = selfProof('checks and mutants')

const mutantAs = (wrap: string): Edit =>
  edit('proof/mutants/http.ts', [
    "  {\n    id: 'http-elsewhere',",
    `  {
    id: 'http-post-refused',
    breaks: 'REQ-HTTP-1',
    defect: 'POST is not allowed.',
    wrap: ${wrap},
  },
  {
    id: 'http-elsewhere',`,
  ])

const checkKilledBy = (killedBy: string): Edit =>
  edit('conformance/checks/http.ts', [
    "  check({\n    id: 'http.request-body',",
    `  check({
    id: 'http.method',
    requirement: 'REQ-HTTP-1',
    title: 'execute a statement by POST',
    killedBy: [${killedBy}],
    run: async (t) => {
      const reply = await t.query('SELECT id FROM v_quantities LIMIT 1')
      if (reply.ok) return compared(1, 'reply', 'a POST was executed')
      return wrongReply(reply, 'a POST was refused', 'state success')
    },
  }),
  check({
    id: 'http.request-body',`,
  ])

const check: Recipe = {
  steps: {
    check: checkKilledBy("'http-post-refused'"),
    mutant: mutantAs('wrapper(async () => html(405))'),
    generate,
  },
  accepted: [
    types,
    upToDate,
    'vitest run --project engine proof/coverage.test.ts',
    register,
    selfProof('fails on the mutant http-post-refused'),
  ],
  mistakes: [
    {
      title: 'a check that names no mutant',
      without: ['check', 'mutant'],
      instead: checkKilledBy(''),
      command: register,
      names: ['need a mutant in proof/mutants/', 'http.method'],
    },
    {
      title: 'a check whose mutant is missing',
      without: ['mutant'],
      command: register,
      names: ['are in killedBy, but not in proof/mutants/', 'http-post-refused'],
    },
    {
      title: 'a mutant that no check names',
      without: ['check'],
      command: register,
      names: ['need a check in conformance/checks/', 'http-post-refused'],
    },
    {
      title: 'a mutant that survives',
      without: ['mutant'],
      instead: mutantAs('(fetch) => fetch'),
      command: selfProof('fails on the mutant http-post-refused'),
      names: ['have to catch http-post-refused: see conformance/checks/', 'http.method'],
    },
    {
      title: 'a stale COVERAGE.md',
      without: ['generate'],
      command: 'vitest run --project engine proof/coverage.test.ts',
      names: ['COVERAGE.md is up to date with `npm run generate -- --only coverage`'],
    },
  ],
}

const viewSchema = 'schemas/views/v_experiments.schema.json'
const titleBefore = (text: string, title: string) => [text, `${title}${text}`] as const

const property = titleBefore(
  '    "last_updated_at": {',
  '    "title": { "type": ["string", "null"], "description": "Title. Null: it has none." },\n',
)

const column: Recipe = {
  steps: {
    schema: edit(viewSchema, property, [
      '"scheduled_end_timestamp", "last_updated_at"]',
      '"scheduled_end_timestamp", "title", "last_updated_at"]',
    ]),
    transcription: edit('schemas/transcription.test-helper.ts', [
      "    ['scheduled_end_timestamp', 'String or null', 'yes', 'time'],\n    ['last_updated_at', 'String', 'no', 'time'],\n  ],\n}",
      "    ['scheduled_end_timestamp', 'String or null', 'yes', 'time'],\n    ['title', 'String or null', 'yes'],\n    ['last_updated_at', 'String', 'no', 'time'],\n  ],\n}",
    ]),
    generate,
    plant: edit(
      'fixtures/rows/experiments.ts',
      titleBefore('    last_updated_at: iso(', "    title: window ? 'Growth' : null,\n"),
    ),
    sample: edit(
      'generators/sample-rows.test-helper.ts',
      titleBefore("    external_id: 'EXP-1',\n", '    title: null,\n'),
    ),
    tables: edit('invariants/tables.test-helper.ts', [
      "        external_id: 'E-1',",
      "        external_id: 'E-1',\n        title: null,",
    ]),
    recording: edit('twin/pseudonyms/rules.ts', [
      "external_id: 'replaced' },\n}",
      "external_id: 'replaced', title: 'replaced' },\n}",
    ]),
    client: edit('client/views.test.ts', titleBefore(' scheduled_start_timestamp: null,', ' title: null,')),
  },
  accepted: [
    types,
    upToDate,
    'vitest run --project unit schemas/ generators/ client/ fixtures/coverage.test.ts',
    'vitest run --project engine proof/coverage.test.ts',
  ],
  mistakes: [
    {
      title: 'a column that is not required',
      without: ['schema'],
      instead: edit(viewSchema, property),
      command: 'vitest run --project unit schemas/transcription.test.ts',
      names: [`${viewSchema} require the same columns`, 'title'],
    },
    {
      title: 'a column that is not transcribed',
      without: ['transcription'],
      command: 'vitest run --project unit schemas/transcription.test.ts',
      names: ['schemas/transcription.test-helper.ts', 'title'],
    },
    {
      title: 'a column that client/views.test.ts does not list',
      without: ['client'],
      command: 'vitest run --project unit client/views.test.ts',
      names: ['client/views.test.ts', 'title'],
    },
    {
      title: 'stale files after a new column',
      without: ['generate', 'plant', 'sample', 'tables', 'recording', 'client'],
      command: stale,
      names: ['schemas/generated/types.ts is stale.', 'npm run generate'],
    },
    ...(
      [
        ['plant', 'fixtures/rows/experiments.ts'],
        ['sample', 'generators/sample-rows.test-helper.ts'],
        ['tables', 'invariants/tables.test-helper.ts'],
        ['recording', 'twin/pseudonyms/rules.ts'],
      ] as const
    ).map(([step, file]) => ({
      title: `no value of a new column in ${file}`,
      without: [step],
      command: types,
      names: [`${file}(`, "'title' is missing"],
    })),
    {
      title: 'a nullable column that is never null',
      without: ['plant'],
      instead: edit(
        'fixtures/rows/experiments.ts',
        titleBefore('    last_updated_at: iso(', "    title: 'Growth',\n"),
      ),
      command: 'vitest run --project unit fixtures/coverage.test.ts -t "seed 1 .* v_experiments.title"',
      names: ['fixtures/rows/ has to give title a value in some rows and null in others'],
    },
  ],
}

const served = (branch: string): Edit =>
  edit('mock/open-points/rows/case.ts', titleBefore('  camel: () =>', `  pascal: ${branch},\n`))
const recognised = (test: string): Edit =>
  edit('conformance/open-points/rows/case.ts', titleBefore('    camel: (', `    pascal: ${test},\n`), [
    "!keys.some((key) => key.includes('_')),",
    'keys.every((key) => /^[a-z][^_]*$/.test(key)),',
  ])

const generic = 'vitest run --project engine mock/open-points -t "each variant of rows.case"'
const probed = 'vitest run --project engine proof/variants.test.ts -t "probe recognises .*rows.case=pascal"'

const variant: Recipe = {
  steps: {
    register: edit('schemas/open-points/rows/case.json', [
      '    }\n  ]',
      `    },
    {
      "slug": "pascal",
      "text": "Pascal case: ExternalId.",
      "standing": "warns",
      "requirement": "REQ-VIEW-KEYS"
    }
  ]`,
    ]),
    generate,
    server: served(
      '() => (name) => name.replace(/(?:^|_)([^_])/g, (_, letter: string) => letter.toUpperCase())',
    ),
    probe: recognised('({ keys }) => keys.every((key) => /^[A-Z][a-z][^_]*$/.test(key))'),
  },
  accepted: [types, upToDate, generic, probed, 'vitest run --project unit schemas/registers.test.ts'],
  mistakes: [
    {
      title: 'stale files after a new variant',
      without: ['generate', 'server', 'probe'],
      command: stale,
      names: ['schemas/generated/open-points.ts is stale.', 'npm run generate'],
    },
    {
      title: 'a variant that the server does not have',
      without: ['server'],
      command: types,
      names: ['mock/open-points/rows/case.ts(', "'pascal' is missing"],
    },
    {
      title: 'a variant that has no recognition',
      without: ['probe'],
      command: types,
      names: ['conformance/open-points/rows/case.ts(', "'pascal' is missing"],
    },
    {
      title: 'a variant that is served as the default one',
      without: ['server'],
      instead: served('undefined'),
      command: generic,
      names: ['mock/open-points/rows/case.ts serves pascal like another variant', 'lower'],
    },
    {
      title: 'a variant that its probe takes for another one',
      without: ['probe'],
      instead: recognised('() => false'),
      command: probed,
      names: ['conformance/open-points/rows/case.ts recognises pascal'],
    },
  ],
}

const sameLeaves = 'vitest run --project engine e2e/house -t "one file for every setting"'

const openPoint: Edit = (copy) =>
  copy.write(
    'schemas/open-points/rows/colour.json',
    `${JSON.stringify({
      number: 'NS-67',
      clause: { section: 'Endpoints > Execute a statement, list of what is not shown, item 1', lines: '233' },
      question: 'Which colour do rows have?',
      probe: 'Looks at them.',
      default: 'red',
      variants: ['red', 'blue'].map((slug) => ({ slug, text: 'A colour.', standing: 'neutral' })),
    })}\n`,
  )

const colour = {
  conformance: `import { noProbe } from '../probe.ts'

export const probe = noProbe('rows.colour', 'Rows are not printed.')
`,
  mock: `import { implement } from '../implement.ts'

export const colour = implement('rows.colour', { red: 'red', blue: 'blue' })
`,
}
const leaf =
  (tree: keyof typeof colour): Edit =>
  (copy) =>
    copy.write(`${tree}/open-points/rows/colour.ts`, colour[tree])

const point: Recipe = {
  steps: {
    openPoint,
    section: edit('generators/contract.md', titleBefore(' rows.case ', ' rows.colour')),
    server: leaf('mock'),
    probe: leaf('conformance'),
    generate,
  },
  accepted: [types, upToDate, sameLeaves],
  mistakes: [
    {
      title: 'an open point that the reference page lacks',
      without: ['section', 'generate'],
      command: generator,
      names: ['generators/contract.md must name rows.colour once'],
    },
    {
      title: 'an open point without its file in mock/',
      without: ['server'],
      command: sameLeaves,
      names: ['mock/open-points/rows/colour.ts exists'],
    },
    {
      title: 'an open point without its file in conformance/',
      without: ['probe', 'generate'],
      command: sameLeaves,
      names: ['conformance/open-points/rows/colour.ts exists'],
    },
    ...(['mock', 'conformance'] as const).map((tree) => ({
      title: `an open point without its file in ${tree}/, to the compiler`,
      without: [tree === 'mock' ? 'server' : 'probe', 'generate'],
      instead: (copy: RepositoryCopy) => void copy.run(generator),
      command: types,
      names: [`${tree}/open-points/index.ts(`, './rows/colour.ts'],
    })),
  ],
}

/** Runs a command in a copy of the repository after some edits. */
function after(edits: readonly Edit[], commands: readonly string[]) {
  const copy = new RepositoryCopy()
  try {
    for (const change of edits) change(copy)
    return commands.map((command) => ({ command, ...copy.run(command) }))
  } finally {
    copy.remove()
  }
}

const recipes = [
  ['a check', check],
  ['a variant', variant],
  ['a column', column],
  ['an open point', point],
] as const

describe.each(oneIn(4, 'recipes', recipes))(
  'the recipe for %s',
  { timeout: 600_000 },
  (_, { steps, accepted, mistakes }) => {
    test('leads to a repository that its tests accept', () => {
      for (const { command, status, output } of after(Object.values(steps), accepted))
        expect(status, `${command}\n${output}`).toBe(0)
    })

    test.each(oneIn(16, 'mistakes in recipes', mistakes).map((mistake) => [mistake.title, mistake] as const))(
      'makes the tests name the file of %s',
      (_, { without, instead, command, names }) => {
        const edits = Object.entries(steps).map(([name, step]) => (without.includes(name) ? undefined : step))
        const at = edits.findIndex((step) => step === undefined)
        if (instead) edits.splice(Math.max(at, 0), 1, instead)
        const [result] = after(
          edits.filter((step) => step !== undefined),
          [command],
        )
        expect(result!.status, result!.output).toBeGreaterThan(0)
        for (const name of names) expect(result!.output).toContain(name)
      },
    )
  },
)

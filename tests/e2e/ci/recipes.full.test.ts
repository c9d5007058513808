import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { timestampPatterns } from '../../../schemas/formats.ts'
import { root } from '../support/cli.ts'
import { everyCase, noteSample } from '../support/tiers.ts'
import { RepositoryCopy } from '../support/repository-copy.ts'

// Follows the recipes of CONTRIBUTING.md in a copy of the repository. The full tier follows all of them in one copy; the
// release tier follows each in copies of its own, and leaves out steps.

type Edit = (copy: RepositoryCopy) => void

interface Recipe {
  /** In the order of the recipe. The compiler names the files of the steps after `generate`. */
  readonly steps: Readonly<Record<string, Edit>>
  /** The most files that are written by hand. */
  readonly mostFiles: number
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

const parts = ['schemas', 'contract', 'open-points', 'open-points-of-mock', 'defects', 'coverage']
const generator = `tsx generators/main.ts ${parts.map((part) => `--only ${part}`).join(' ')}`
const generate: Edit = (copy) => {
  const { status, output } = copy.run(generator)
  expect(status, output).toBe(0)
}
const upToDate = `${generator} --check`

const types = 'tsc --noEmit'
const typesOfConsole = 'tsc --noEmit -p console'
const stale = 'vitest run --project unit generators/main.test.ts -t "up to date"'

/** A step that replaces texts of one file. */
const edit =
  (path: string, ...pairs: readonly (readonly [text: string, replacement: string])[]): Edit =>
  (copy) => {
    for (const [text, replacement] of pairs) copy.replace(path, text, replacement)
  }

const register = 'vitest run --project engine tests/proof/self-proof.test.ts -t "checks and mutants"'
const caught = (mutant: string) =>
  `vitest run --project proof tests/proof/self-proof.full.test.ts -t "in answers ${mutant}"`

const mutantAs = (wrap: string): Edit =>
  edit('tests/proof/mutants/http.ts', [
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
  mostFiles: 2,
  steps: {
    check: checkKilledBy("'http-post-refused'"),
    mutant: mutantAs('wrapper(async () => html(405))'),
    generate,
  },
  accepted: [
    types,
    upToDate,
    'vitest run --project engine tests/proof/coverage.test.ts',
    register,
    caught('http-post-refused'),
  ],
  mistakes: [
    {
      title: 'a check that names no mutant',
      without: ['check', 'mutant'],
      instead: checkKilledBy(''),
      command: register,
      names: ['need a mutant in tests/proof/mutants/', 'http.method'],
    },
    {
      title: 'a check whose mutant is missing',
      without: ['mutant'],
      command: register,
      names: ['are in killedBy, but not in tests/proof/mutants/', 'http-post-refused'],
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
      command: caught('http-post-refused'),
      names: ['have to catch http-post-refused: see conformance/checks/', 'http.method'],
    },
    {
      title: 'a stale COVERAGE.md',
      without: ['generate'],
      command: 'vitest run --project engine tests/proof/coverage.test.ts',
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

const required = [
  '"scheduled_end_timestamp", "last_updated_at"]',
  '"scheduled_end_timestamp", "title", "last_updated_at"]',
] as const

const column: Recipe = {
  mostFiles: 6,
  steps: {
    schema: edit(viewSchema, property, required),
    generate,
    transcription: edit('schemas/transcription.test-helper.ts', [
      "'time'],\n    last_updated_at: ['String', 'no', 'time'],\n  },\n}",
      "'time'],\n    title: ['String or null', 'yes'],\n    last_updated_at: ['String', 'no', 'time'],\n  },\n}",
    ]),
    plant: edit(
      'fixtures/rows/experiments.ts',
      titleBefore('    last_updated_at: iso(', "    title: isPlanned ? 'Growth' : null,\n"),
    ),
    recording: edit('client/twin/pseudonyms/rules.ts', [
      "external_id: 'replaced' },\n}",
      "external_id: 'replaced', title: 'replaced' },\n}",
    ]),
  },
  accepted: [
    types,
    upToDate,
    'vitest run --project unit schemas/ generators/ client/ fixtures/coverage.test.ts',
    'vitest run --project engine tests/proof/coverage.test.ts',
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
      title: 'a column that is never null and has neither sample nor default',
      without: ['schema'],
      instead: edit(
        viewSchema,
        [property[0], property[1].replace('["string", "null"]', '"string"')],
        required,
      ),
      command: types,
      names: ['invariants/tables.test-helper.ts(', 'fixtures/factories/complete-row.ts('],
    },
    {
      title: 'stale files after a new column',
      without: ['generate', 'transcription', 'plant', 'recording'],
      command: stale,
      names: ['schemas/generated/types.ts is stale.', 'npm run generate'],
    },
    ...(
      [
        ['transcription', 'schemas/transcription.test-helper.ts'],
        ['plant', 'fixtures/rows/experiments.ts'],
        ['recording', 'client/twin/pseudonyms/rules.ts'],
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

const name = 'v_batches_of_medium'

const view: Recipe = {
  mostFiles: 12,
  steps: {
    schema: (copy) =>
      copy.write(
        `schemas/views/${name}.schema.json`,
        `${JSON.stringify({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $id: `https://bioprocess-sql-contract.example/schemas/views/${name}.schema.json`,
          title: 'BatchOfMedium',
          description: 'A batch of a culture medium.',
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Unique identifier.' },
            name: { type: 'string', description: 'Name of the batch.' },
            bioprocess_id: { type: 'string', description: 'The bioprocess that it is made for.' },
            last_updated_at: {
              type: 'string',
              description: 'Time of the last change.',
              pattern: timestampPatterns.iso8601,
            },
          },
          required: ['id', 'name', 'bioprocess_id', 'last_updated_at'],
        })}\n`,
      ),
    contract: edit(
      'schemas/contract.json',
      ...(['relations', 'eventKinds'] as const).map(
        (next) =>
          [
            `    "v_experiments"\n  ],\n  "${next}"`,
            `    "${name}",\n    "v_experiments"\n  ],\n  "${next}"`,
          ] as const,
      ),
      ['      "v_experiments"\n', `      "${name}",\n      "v_experiments"\n`],
      ['    "v_experiments": "169-173"', `    "${name}": "164-168",\n    "v_experiments": "169-173"`],
      ['    "v_experiments": ["id"]', `    "${name}": ["id"],\n    "v_experiments": ["id"]`],
      [
        '"v_formula_results.bioprocess_id", "to": "v_bioprocesses.id" }',
        `"v_formula_results.bioprocess_id", "to": "v_bioprocesses.id" },\n    { "from": "${name}.bioprocess_id", "to": "v_bioprocesses.id" }`,
      ],
    ),
    requirements: edit('schemas/requirements.json', [
      '      "v_experiments": ',
      `      "${name}": "Covered by other requirements: timestamp texts (REQ-VIEW-TS-1).",\n      "v_experiments": `,
    ]),
    section: edit('generators/contract/contract.md', [
      '### v_experiments\n',
      `### ${name}\n\n<!-- schema views/${name} -->\n\n<!-- requirements ${['EXISTS', 'COLUMNS', 'TYPES']
        .map((family) => `REQ-VIEW-${family}:${name}`)
        .join(' ')} -->\n\n### v_experiments\n`,
    ]),
    reference: edit('invariants/documented/documented.test.ts', [
      "  D38: [(t) => (t.v_formula_results[0]!['data'] = { value: 1 }), 'r1'],\n",
      `  D38: [(t) => (t.v_formula_results[0]!['data'] = { value: 1 }), 'r1'],\n  D39: [(t) => (t.${name}[0]!['bioprocess_id'] = 'b2'), 'm1'],\n`,
    ]),
    generate,
    transcription: edit(
      'schemas/transcription.test-helper.ts',
      [
        '  v_experiments: {',
        `  ${name}: {
    id: ['String', 'no'],
    name: ['String', 'no'],
    bioprocess_id: ['String', 'no'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_experiments: {`,
      ],
      [
        "  ['v_formula_results.bioprocess_id', 'v_bioprocesses.id'],\n",
        `  ['v_formula_results.bioprocess_id', 'v_bioprocesses.id'],\n  ['${name}.bioprocess_id', 'v_bioprocesses.id'],\n`,
      ],
    ),
    sample: edit('invariants/tables.test-helper.ts', [
      '  v_experiments: [',
      `  ${name}: [{ id: 'm1', name: 'M-1', bioprocess_id: 'b1', last_updated_at: time }],\n  v_experiments: [`,
    ]),
    plant: (copy) => {
      copy.write(
        'fixtures/rows/batches-of-medium.ts',
        `import { day, iso } from '../../base/time/micros.ts'
import type { BatchOfMedium } from '../../schemas/index.ts'
import { idOf } from '../ids.ts'
import type { Plant } from '../plant.ts'
import type { Bioprocess } from '../runs/bioprocess.ts'

export function* batchOfMediumRows({ seed }: Plant, { booking, run }: Bioprocess): Generator<BatchOfMedium> {
  if (!run) return
  const made = run.start - day
  yield {
    id: idOf(made, seed, ...booking.path, 'batch'),
    name: \`M-\${booking.id}\`,
    bioprocess_id: booking.id,
    last_updated_at: iso(run.start),
  }
}
`,
      )
      edit(
        'fixtures/rows/views.ts',
        [
          'import { experimentRows }',
          "import { batchOfMediumRows } from './batches-of-medium.ts'\nimport { experimentRows }",
        ],
        ['  v_formula_results: ', `  ${name}: batchOfMediumRows,\n  v_formula_results: `],
      )(copy)
    },
    defaults: edit('fixtures/factories/complete-row.ts', [
      '  v_experiments: ',
      `  ${name}: ({ id }) => ({ name: id }),\n  v_experiments: `,
    ]),
    pseudonyms: edit('client/twin/pseudonyms/rules.ts', [
      '  v_experiments: ',
      `  ${name}: { id: 'replaced', name: 'replaced', bioprocess_id: 'replaced' },\n  v_experiments: `,
    ]),
    recording: edit('client/twin/record.ts', [
      '  v_experiments: true',
      `  ${name}: true,\n  v_experiments: true`,
    ]),
  },
  accepted: [
    types,
    typesOfConsole,
    upToDate,
    'vitest run --project unit schemas/ generators/ invariants/documented fixtures/changes.test.ts fixtures/factories fixtures/verify',
    'vitest run --project unit client/twin/record.test.ts -t "every view of the contract"',
    'vitest run --project engine tests/proof/self-proof.test.ts -t "passes on the reference"',
  ],
  mistakes: [
    {
      title: 'a view without a key',
      without: ['contract'],
      instead: (copy) => {
        view.steps['contract']!(copy)
        copy.replace('schemas/contract.json', `    "${name}": ["id"],\n`, '')
      },
      command: types,
      names: ['schemas/contract.ts(', `'${name}' is missing`],
    },
    {
      title: 'a view without a text of its requirements',
      without: ['requirements', 'generate'],
      command: generator,
      names: [`has no {ofView} for ${name}. Add it to schemas/requirements.json.`],
    },
    {
      title: 'a view that the reference page lacks',
      without: ['section', 'generate'],
      command: generator,
      names: [`generators/contract/contract.md must name REQ-VIEW-EXISTS:${name} once`],
    },
    ...(
      [
        ['transcription', 'schemas/transcription.test-helper.ts'],
        ['sample', 'invariants/tables.test-helper.ts'],
        ['plant', 'fixtures/rows/views.ts'],
        ['defaults', 'fixtures/factories/complete-row.ts'],
        ['pseudonyms', 'client/twin/pseudonyms/rules.ts'],
        ['recording', 'client/twin/record.ts'],
      ] as const
    ).map(([step, file]) => ({
      title: `nothing for a new view in ${file}`,
      without: [step],
      command: types,
      names: [`${file}(`, `'${name}' is missing`],
    })),
    {
      title: 'a view that is not among those with unique ids',
      without: ['contract'],
      instead: (copy: RepositoryCopy) => {
        view.steps['contract']!(copy)
        copy.replace(
          'schemas/contract.json',
          `    "${name}",\n    "v_experiments"\n  ],\n  "eventKinds"`,
          '    "v_experiments"\n  ],\n  "eventKinds"',
        )
      },
      command: 'vitest run --project unit schemas/transcription.test.ts',
      names: ['contract.json lists the views whose key is their id', name],
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
const probed =
  'vitest run --project proof tests/proof/variants.full.test.ts -t "probe recognises .*rows.case=pascal"'

const variant: Recipe = {
  mostFiles: 3,
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

const sameLeaves = 'vitest run --project engine tests/e2e/house -t "one file for every setting"'

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
  mostFiles: 4,
  steps: {
    openPoint,
    section: edit('generators/contract/contract.md', titleBefore(' rows.case ', ' rows.colour')),
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
      names: ['generators/contract/contract.md must name rows.colour once'],
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

const optionOfServer = (type: string) =>
  [
    '  /** Runs the suite for the page.',
    `  /** The number of requests that \`/_mock/requests\` keeps. Default: 500. */
  readonly keepRequests?: ${type}
  /** Runs the suite for the page.`,
  ] as const
const typeOfOption = ["  judge: 'object'", "  keepRequests: 'number',\n  judge: 'object'"] as const

const option: Recipe = {
  mostFiles: 3,
  steps: {
    command: edit(
      'cli/server/serve-options.ts',
      ['import { durationOrZero, ', 'import { count, durationOrZero, '],
      titleBefore(
        "      .option('--allow-target'",
        "      .option('--keep-requests <n>', 'requests that /_mock/requests keeps (default: 500)', count)\n",
      ),
    ),
    start: edit(
      'cli/server/start-server.ts',
      ['drain, ...rest', 'drain, keepRequests, ...rest'],
      titleBefore('    drainMs: drain', '    keepRequests,\n'),
    ),
    server: edit('mock/node/server-options.ts', optionOfServer('number'), typeOfOption),
    generate,
  },
  accepted: [types, upToDate, 'vitest run --project unit cli/options'],
  mistakes: [
    {
      title: 'an option that the command does not hand over',
      without: ['start'],
      command: types,
      names: ['cli/server/start-server.ts(', 'keepRequests'],
    },
    {
      title: 'an option that the server does not have',
      without: ['server'],
      command: types,
      names: ['cli/server/start-server.ts(', 'keepRequests'],
    },
    {
      title: 'an option whose value has another type in the server',
      without: ['server'],
      instead: edit('mock/node/server-options.ts', optionOfServer('string'), typeOfOption),
      command: types,
      names: ['cli/server/start-server.ts(', 'keepRequests'],
    },
    {
      title: 'an option that callers without TypeScript cannot give',
      without: ['server'],
      instead: edit('mock/node/server-options.ts', optionOfServer('number')),
      command: types,
      names: ['mock/node/server-options.ts(', "'keepRequests' is missing"],
    },
  ],
}

const recipes = [
  ['a check', check],
  ['a variant', variant],
  ['a column', column],
  ['a view', view],
  ['an option of serve', option],
] as const

/** Follows some steps. @returns the files that they write by hand */
function follow(copy: RepositoryCopy, edits: readonly Edit[]): string[] {
  const before = copy.written.length
  for (const change of edits) change(copy)
  return [...new Set(copy.written.slice(before))]
}

/** After all steps: a selection of what each recipe accepts alone. The mutant and the variant are judged there. */
const together = [
  types,
  typesOfConsole,
  upToDate,
  'vitest run --project unit schemas/registers.test.ts schemas/transcription.test.ts generators/contract/validators.test.ts invariants/documented fixtures/factories',
  'vitest run --project unit fixtures/coverage.test.ts client/twin/record.test.ts -t "seed 1 |every view of the contract"',
  'vitest run --project engine tests/proof/self-proof.test.ts mock/open-points -t "checks and mutants|passes on the reference|rows.case"',
]

test(
  'the recipes for a check, a variant, a column, a view and an option of serve work: the compiler names what is left after their first steps',
  { timeout: 600_000 },
  () => {
    const copy = new RepositoryCopy()
    try {
      const begun = recipes.map(([title, recipe]) => {
        const steps = Object.values(recipe.steps)
        const at = steps.indexOf(generate)
        return { title, recipe, files: follow(copy, steps.slice(0, at)), left: steps.slice(at + 1) }
      })
      generate(copy)
      const named = [types, typesOfConsole].map((command) => copy.run(command).output).join('')
      for (const { title, recipe, files, left } of begun) {
        const changed = follow(copy, left)
        const unnamed = changed.filter((file) => existsSync(join(root, file)) && !named.includes(`${file}(`))
        expect(unnamed, `${title}: the compiler does not name them`).toEqual([])
        expect(new Set([...files, ...changed]).size, title).toBeLessThanOrEqual(recipe.mostFiles)
      }
      for (const command of together) {
        const { status, output } = copy.run(command)
        expect(status, `${command}\n${output}`).toBe(0)
      }
    } finally {
      copy.remove()
    }
  },
)

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

/** One by one in the release tier only, with what is left out in each. */
const alone = everyCase ? [...recipes, ['an open point', point] as const] : []
noteSample({ of: 'recipes one by one', ran: alone.length, exist: recipes.length + 1 })

describe.each(alone)('the recipe for %s', { timeout: 600_000 }, (_, { steps, accepted, mistakes }) => {
  test('leads to a repository that its tests accept', () => {
    for (const { command, status, output } of after(Object.values(steps), accepted))
      expect(status, `${command}\n${output}`).toBe(0)
  })

  test.each(mistakes.map((mistake) => [mistake.title, mistake] as const))(
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
})

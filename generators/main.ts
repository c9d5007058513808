import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** One part of what is derived from the sources and checked in. */
interface Part {
  /** The directory of its files, below the root. */
  readonly directory: string
  /** The names in that directory that belong to this part; a file it no longer makes is removed. */
  readonly owns: RegExp
  /** Makes the files: name and text. `root` is the directory of the package. */
  make(root: string): Promise<Iterable<readonly [name: string, text: string]>>
}

/** All parts, in the order in which they are made. Imports are dynamic because the later parts import the schemas. */
const parts: Readonly<Record<string, Part>> = {
  schemas: {
    directory: 'schemas/generated',
    owns: /./,
    async make(root) {
      const { generate } = await import('./contract/generate.ts')
      const { load } = await import('./contract/load.ts')
      return (await generate(load(root))).map(({ path, text }) => [path, text])
    },
  },
  contract: {
    directory: 'docs',
    owns: /^contract\.md$/,
    async make(root) {
      const { load } = await import('./contract/load.ts')
      const { generateReference } = await import('./contract/reference.ts')
      return [['contract.md', generateReference(load(root), root)]]
    },
  },
  'open-points': {
    directory: 'conformance/open-points',
    owns: /^index\.ts$/,
    async make(root) {
      const { load } = await import('./contract/load.ts')
      const { probeIndex } = await import('./contract/open-point-index.ts')
      return [['index.ts', probeIndex(load(root))]]
    },
  },
  'open-points-of-mock': {
    directory: 'mock/open-points',
    owns: /^index\.ts$/,
    async make(root) {
      const { load } = await import('./contract/load.ts')
      const { leafTypes } = await import('./contract/open-point-index.ts')
      return [['index.ts', leafTypes(load(root))]]
    },
  },
  'broken-bodies': {
    directory: 'conformance/generated',
    owns: /^broken-bodies\.ts$/,
    async make() {
      const { brokenBodiesModule } = await import('./suite/broken-bodies.ts')
      return [['broken-bodies.ts', brokenBodiesModule()]]
    },
  },
  'check-ids': {
    directory: 'conformance/generated',
    owns: /^check-ids\.ts$/,
    async make() {
      const { checkIdsModule } = await import('./suite/check-ids.ts')
      return [['check-ids.ts', checkIdsModule()]]
    },
  },
  defects: {
    directory: 'conformance/generated',
    owns: /^defects\.ts$/,
    async make() {
      const { defectsModule } = await import('../tests/proof/defects.ts')
      return [['defects.ts', defectsModule()]]
    },
  },
  coverage: {
    directory: 'tests/proof',
    owns: /^COVERAGE\.md$/,
    async make() {
      const { coverage } = await import('../tests/proof/coverage.ts')
      return [['COVERAGE.md', coverage()]]
    },
  },
  surface: {
    directory: 'generators/surface',
    owns: /^(?:help|ids)\.txt$/,
    async make(root) {
      const { help } = await import('./surface/help.ts')
      const { ids } = await import('./surface/ids.ts')
      return [
        ['help.txt', await help()],
        ['ids.txt', ids(root)],
      ]
    },
  },
  declarations: {
    directory: 'generators/surface',
    owns: /^declarations\.txt$/,
    async make(root) {
      const { declarations } = await import('./surface/declarations.ts')
      return [['declarations.txt', declarations(root)]]
    },
  },
  twin: {
    directory: 'docs',
    owns: /^twin\.md$/,
    async make(root) {
      const { withPseudonymTable } = await import('./pages/pseudonym-table.ts')
      return [['twin.md', withPseudonymTable(readFileSync(join(root, 'docs/twin.md'), 'utf8'))]]
    },
  },
  figures: {
    directory: 'docs',
    owns: /^performance\.md$/,
    async make(root) {
      const { withFigures } = await import('./pages/figure-table.ts')
      const [page, recorded] = ['docs/performance.md', 'tests/bench/figures.json'].map((path) =>
        readFileSync(join(root, path), 'utf8'),
      )
      return [['performance.md', withFigures(page!, recorded!)]]
    },
  },
  scenarios: {
    directory: 'docs',
    owns: /^data\.md$/,
    async make(root) {
      const { withScenarios } = await import('./pages/scenario-texts.ts')
      return [['data.md', withScenarios(readFileSync(join(root, 'docs/data.md'), 'utf8'))]]
    },
  },
  questions: {
    directory: 'docs',
    owns: /^questions\.md$/,
    async make(root) {
      const { withAnswers } = await import('./pages/questions.ts')
      return [['questions.md', await withAnswers(readFileSync(join(root, 'docs/questions.md'), 'utf8'))]]
    },
  },
  mariadb: tablesOf('mariadb-dbhub'),
  clickhouse: tablesOf('clickhouse'),
  distributions: {
    directory: 'tests/proof',
    owns: /^DISTRIBUTIONS\.md$/,
    async make() {
      const { distributionsDocument } = await import('../tests/proof/distributions/document.ts')
      const { populations } = await import('../tests/proof/distributions/populations.ts')
      return [['DISTRIBUTIONS.md', distributionsDocument(populations())]]
    },
  },
}

/** The tables of a database of examples/foreign. */
function tablesOf(database: 'mariadb-dbhub' | 'clickhouse'): Part {
  const directory = `examples/foreign/${database}`
  return {
    directory,
    owns: /^tables\.sql$/,
    async make(root) {
      const { withTables } = await import('./foreign-tables.ts')
      const text = readFileSync(join(root, directory, 'tables.sql'), 'utf8')
      return [['tables.sql', withTables(text, database)]]
    },
  }
}

interface Change {
  readonly path: string
  readonly state: 'stale' | 'missing' | 'superfluous'
  /** What the file has to hold; undefined if it has to go. */
  readonly text?: string
}

/** What has to change in the files of a part, by path. */
async function changesOf({ directory, owns, make }: Part, root: string): Promise<Change[]> {
  const made = new Map(await make(root))
  const folder = join(root, directory)
  const present = existsSync(folder) ? readdirSync(folder).filter((name) => owns.test(name)) : []
  const differing = [...made].flatMap(([name, text]): Change[] => {
    const path = `${directory}/${name}`
    if (!present.includes(name)) return [{ path, state: 'missing', text }]
    return readFileSync(join(root, path), 'utf8') === text ? [] : [{ path, state: 'stale', text }]
  })
  const superfluous = present
    .filter((name) => !made.has(name))
    .map((name): Change => ({ path: `${directory}/${name}`, state: 'superfluous' }))
  return [...differing, ...superfluous].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function apply({ path, text }: Change, root: string): void {
  if (text === undefined) return rmSync(join(root, path))
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Parts that simulate many plants, start an engine, or need a second compiler. */
const SLOW = ['declarations', 'scenarios', 'questions', 'distributions']

const usage = `npm run generate -- [--check] [--quick] [--only PART]...
--quick leaves out ${SLOW.join(', ')}.
PART is one of ${Object.keys(parts).join(', ')}.`

/** The options, or undefined if they are not valid. */
function optionsOf(args: string[]): { check: boolean; names: readonly string[] } | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        check: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
      },
    })
    const names = values.only ?? Object.keys(parts).filter((name) => !values.quick || !SLOW.includes(name))
    return names.every((name) => Object.hasOwn(parts, name)) ? { check: values.check, names } : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes every derived file of the package in the current directory, or with `--check` only compares.
 * Exit status: 0 done or up to date, 1 a file differs or cannot be made, 2 usage.
 */
async function main(args: string[]): Promise<number> {
  const options = optionsOf(args)
  if (!options) {
    console.error(`Unknown option in \`${args.join(' ')}\`. Usage: ${usage}`)
    return 2
  }
  const root = process.cwd()
  let status = 0
  for (const name of options.names) {
    let changes: Change[]
    try {
      changes = await changesOf(parts[name]!, root)
    } catch (error) {
      status = 1
      console.error(`${name}: ${(error as Error).message}`)
      console.error(`Correct it and run \`npm run generate -- --only ${name}\`.`)
      continue
    }
    if (changes.length === 0) console.log(`${name}: up to date`)
    else if (options.check) {
      status = 1
      for (const { path, state } of changes) console.error(`${path} is ${state}.`)
      console.error(`Run \`npm run generate -- --only ${name}\` and commit the result.`)
    } else {
      for (const change of changes) {
        apply(change, root)
        console.log(`${name}: ${change.text === undefined ? 'removed' : 'wrote'} ${change.path}`)
      }
    }
  }
  return status
}

process.exitCode = await main(process.argv.slice(2))

import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../schemas/contract.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

/** The folders that each folder may import. The suite imports nothing of the servers it judges. */
const MAY_IMPORT: Record<string, string[]> = {
  // tools that know nothing of the contract
  base: [],
  schemas: ['base'],
  invariants: ['base', 'schemas'],
  fixtures: ['base', 'schemas', 'invariants'],
  mock: ['base', 'schemas', 'invariants', 'fixtures'],
  conformance: ['base', 'schemas', 'invariants'],
  client: ['base', 'schemas'],
  // of conformance/ only the forms of reports, which no judgement is part of
  'client/conformance': ['base', 'schemas', 'mock', 'conformance'],
  'client/twin': ['base', 'schemas', 'fixtures', 'client'],
  // of mock/ what runs in a browser
  console: ['base', 'schemas', 'mock'],
  cli: [
    'base',
    'schemas',
    'invariants',
    'fixtures',
    'mock',
    'conformance',
    'client',
    'client/conformance',
    'client/twin',
  ],
  // never shipped, and imported by no room that is
  'generators/contract': ['base', 'schemas'],
  generators: [
    'base',
    'schemas',
    'fixtures',
    'mock',
    'conformance',
    'client/conformance',
    'client/twin',
    'cli',
    'generators/contract',
    'tests/proof',
  ],
  build: ['base', 'schemas', 'fixtures', 'mock', 'conformance', 'client/conformance', 'cli', 'generators'],
  'tests/proof': ['base', 'schemas', 'invariants', 'fixtures', 'mock', 'conformance', 'client/twin', 'tests'],
}

/**
 * The rooms that each room inside a folder may import; a room includes the rooms in it. A folder without an entry follows that of
 * the folder around it. The entry points of the folder may import all.
 */
const ROOM_MAY_IMPORT: Record<'conformance' | 'mock', Record<string, string[]>> = {
  conformance: {
    'connection/redaction': [],
    'connection/values': ['connection/redaction'],
    'connection/http': ['connection/redaction', 'connection/values'],
    'connection/requests': ['connection/redaction', 'connection/values', 'connection/http', 'generated'],
    connection: ['connection/redaction', 'connection/values', 'connection/http'],
    samples: ['connection', 'generated'],
    comparisons: ['connection'],
    'open-points': ['connection', 'samples', 'comparisons'],
    answers: ['connection', 'samples', 'comparisons'],
    'search/statements': ['connection', 'samples', 'comparisons'],
    'search/results': ['connection'],
    search: ['connection', 'samples', 'comparisons', 'answers', 'search/statements', 'search/results'],
    'checks/check.ts': ['connection'],
    'checks/findings': ['connection', 'samples', 'comparisons', 'answers', 'search', 'checks/check.ts'],
    ...Object.fromEntries(
      ['sql', 'delta', 'views', 'replies'].map((area) => [
        `checks/${area}`,
        [
          'connection',
          'samples',
          'comparisons',
          'answers',
          'search',
          'checks/check.ts',
          'checks/search.ts',
          'checks/findings',
        ],
      ]),
    ),
    checks: ['connection', 'samples', 'comparisons', 'answers', 'search', 'checks'],
    baseline: ['connection'],
    seeded: ['connection', 'samples', 'comparisons', 'search', 'checks'],
    'reports/claims': ['connection', 'reports', 'checks'],
    generated: [],
    reports: [],
    run: `connection samples comparisons answers open-points checks seeded baseline reports generated`.split(
      ' ',
    ),
  },
  // syntax is read for settings, the engine runs statements, the application answers requests, and the adapters carry them
  mock: {
    'statement.ts': [],
    'statement-kind.ts': [],
    'elsewhere.ts': ['control'],
    'syntax/tree.ts': [],
    'open-points': ['statement.ts', 'syntax/tree.ts'],
    syntax: ['statement.ts', 'syntax/tree.ts', 'open-points'],
    'engine/memory': [],
    'engine/views': ['statement.ts', 'open-points'],
    'engine/snapshot': ['engine/memory', 'engine/views'],
    'engine/result': ['statement.ts', 'open-points', 'syntax', 'engine/memory'],
    'engine/session': `statement.ts open-points syntax engine/memory engine/snapshot engine/views
      engine/result`.split(/\s+/),
    'engine/pool': ['statement.ts', 'statement-kind.ts', 'engine'],
    engine: ['statement.ts', 'open-points'],
    'app/answer': ['statement.ts', 'open-points', 'engine/memory', 'engine/result'],
    'app/request': ['open-points', 'app/answer'],
    'app/auth': ['open-points', 'app/answer', 'app/request'],
    'app/faults': ['statement.ts', 'open-points', 'app/answer'],
    'app/log': ['statement.ts', 'app/answer', 'app/faults'],
    'app/server-settings.ts': ['open-points'],
    // callers check values as the server does
    'control/json-problem.ts': [],
    rows: ['statement.ts', 'engine/views', 'control/json-problem.ts'],
    'app/sessions': [
      'statement.ts',
      'statement-kind.ts',
      'app/log',
      'app/answer',
      'app/faults',
      'app/server-settings.ts',
      'rows',
    ],
    'app/admin': `statement.ts open-points engine/pool app/log app/answer app/request app/auth app/faults
      app/server-settings.ts rows app/sessions`.split(/\s+/),
    app: ['statement.ts', 'open-points', 'engine/pool', 'rows', 'app'],
    control: ['app', 'rows', 'control'],
    // node also starts from the files that are packed for a page
    'browser/packed.ts': [],
    'browser/packed-data.ts': [],
    'browser/packed-scenarios.ts': [],
    'browser/packed-plant.ts': [],
    browser: ['statement.ts', 'open-points', 'engine', 'app', 'control', 'browser'],
    'node/pglite': [
      'statement.ts',
      'engine',
      'browser/packed-data.ts',
      'browser/packed-plant.ts',
      'browser/packed-scenarios.ts',
    ],
    'node/postgres': ['statement.ts', 'open-points', 'syntax', 'engine', 'node/pglite'],
    'node/http': ['app'],
    'node/random-token.ts': [],
    'node/shared-engine': ['statement.ts', 'engine/pool', 'app/auth', 'node/pglite', 'node/random-token.ts'],
    node: ['statement.ts', 'open-points', 'engine', 'app', 'control', 'node'],
    msw: ['statement.ts', 'open-points', 'rows', 'app', 'control', 'browser', 'node'],
  },
}

/** The files that must also run in a browser. */
const PORTABLE = [
  /^(schemas|invariants)\//,
  /^base\/(?!(files|threads)\/)/,
  /^fixtures\/(?!(export|import|verify)\/|generate-)/,
  /^mock\/((app|rows|syntax|engine|browser|msw|open-points)\/|statement(-kind)?\.ts)/,
  /^client\/(?!conformance\/|twin\/)/,
  /^console\//,
]

/** The rooms that would serve and judge any views: they take their names from the schemas. */
const NAMES_NO_VIEW =
  /^(conformance\/(run|connection|reports|answers)|mock\/(app|engine|msw)|client\/request)\//
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

interface SourceFile {
  path: string
  /** Specifiers of static and dynamic imports. */
  imports: string[]
}

/** A static import or re-export, also for side effects or types, and a dynamic import or `require`. */
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"`])([^'"`\n]+)\1/g

const rooms = Object.keys(MAY_IMPORT)
const files: SourceFile[] = rooms
  .filter((room) => !rooms.some((other) => room.startsWith(`${other}/`)))
  .flatMap((folder) => sourceFiles(join(root, folder)))

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.[cm]?[jt]sx?$/.test(name) && !/\.test(-helper|-d)?\.[cm]?[jt]s$/.test(name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      const imports = [...text.matchAll(IMPORT)].map((match) => match[2]!)
      return { path: relative(root, path).replaceAll('\\', '/'), imports }
    })
}

/** The files of the package that a file imports, including types, relative to the root. */
const targetsOf = ({ path, imports }: SourceFile): string[] =>
  imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(path), specifier)).replaceAll('\\', '/'))

/** Every import circle, as a path of files. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) circles.push([...trail.slice(start), file].join(' -> '))
    if (start >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}

const folderOf = (path: string): string => path.split('/')[0]!

/** The room of a file as `MAY_IMPORT` names it. */
const roomOf = (path: string): string =>
  Object.keys(MAY_IMPORT).find((room) => room.includes('/') && path.startsWith(`${room}/`)) ?? folderOf(path)

const isIn = (room: string, path: string): boolean => path === room || path.startsWith(`${room}/`)

/** The room inside a folder with rules for a file: the innermost one. */
function ruledRoomOf(folder: keyof typeof ROOM_MAY_IMPORT, path: string): string | undefined {
  const rooms = Object.keys(ROOM_MAY_IMPORT[folder]).filter((room) => isIn(`${folder}/${room}`, path))
  return rooms.toSorted((a, b) => b.length - a.length)[0]
}

/** Whether the open point at this path is a setting: it has several variants. */
function isSetting(leaf: string): boolean {
  const { variants } = JSON.parse(readFileSync(join(root, `schemas/open-points/${leaf}.json`), 'utf8'))
  return variants.length > 1
}

/** The paths of the files for single open points below a folder, without their ending: `rows/case`. */
const leavesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.includes('/') && path.endsWith(ending) && !path.endsWith('.test.ts'))
    .map((path) => path.slice(0, -ending.length))
    .toSorted()

describe('the source tree', () => {
  test('has more than a hundred files, so that the other tests check something', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  test.each([
    "import './a.ts'",
    "import { a } from './a.ts'",
    'import type { A } from "./a.ts"',
    "export type { A } from './a.ts'",
    'await import(`./a.ts`)',
    "type A = typeof import('./a.ts')",
    "require('./a.ts')",
  ])('finds the import in: %s', (text) => {
    expect([...text.matchAll(IMPORT)].map((match) => match[2])).toEqual(['./a.ts'])
  })

  test('imports neither test helpers, nor the package by its name, nor a computed path', () => {
    const written = files.filter(({ path }) => folderOf(path) !== 'generators')
    const wrong = written.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => /\.test-helper\.|^bioprocess-sql-contract|\$\{/.test(specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  test('has imports between top-level folders in one direction only', () => {
    const wrong = files.flatMap((file) =>
      targetsOf(file)
        .filter((target) => {
          const [from, to] = [roomOf(file.path), roomOf(target)]
          return from !== to && !MAY_IMPORT[from]!.includes(to)
        })
        .map((target) => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('has no import circles, not even of types', () => {
    const example = { 'a.ts': ['b.ts'], 'b.ts': ['c.ts', 'd.ts'], 'c.ts': ['b.ts'], 'd.ts': [] }
    expect(circlesIn(new Map(Object.entries(example)))).toEqual(['b.ts -> c.ts -> b.ts'])
    expect(circlesIn(new Map(files.map((file) => [file.path, targetsOf(file)])))).toEqual([])
  })

  test.each([
    ['conformance', ['index', 'node-test', 'vitest']],
    ['mock', ['index']],
  ] as const)('has imports between the rooms of %s/ in one direction only', (folder, entryPoints) => {
    const inside = files.filter(({ path }) => folderOf(path) === folder)
    const loose = inside.filter(({ path }) => ruledRoomOf(folder, path) === undefined).map(({ path }) => path)
    expect(loose.sort()).toEqual(entryPoints.map((name) => `${folder}/${name}.ts`))
    const wrong = inside.flatMap((file) =>
      targetsOf(file)
        .filter((target) => {
          const [from, to] = [ruledRoomOf(folder, file.path), ruledRoomOf(folder, target)]
          return from && to && from !== to && !ROOM_MAY_IMPORT[folder][from]!.some((room) => isIn(room, to))
        })
        .map((target) => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('names no view of the contract in the rooms that would serve any', () => {
    const named = new RegExp(`\\b(${contract.views.join('|')})\\b`)
    const naming = files
      .map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8').replace(comment, '') }))
      .filter(({ text }) => named.test(text))
      .map(({ path }) => path)
    expect(naming).toContain('mock/rows/series-statistics.ts')
    expect(naming.filter((path) => NAMES_NO_VIEW.test(path))).toEqual([])
  })

  test('uses nothing of conformance/ in client/conformance/ but the forms of reports', () => {
    const used = files
      .filter(({ path }) => roomOf(path) === 'client/conformance')
      .flatMap(targetsOf)
      .filter((target) => folderOf(target) === 'conformance')
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((target) => !isIn('conformance/reports', target))).toEqual([])
  })

  test('uses in console/ what runs in a browser', () => {
    const used = files.filter(({ path }) => folderOf(path) === 'console').flatMap(targetsOf)
    expect(
      used.filter(
        (target) => folderOf(target) === 'mock' && !PORTABLE.some((pattern) => pattern.test(target)),
      ),
    ).toEqual([])
  })

  test('has one file for every setting, at the same path in schemas/, conformance/ and mock/', () => {
    const settings = leavesOf('schemas/open-points', '.json').filter(isSetting)
    expect(settings).toContain('rows/case')
    for (const tree of ['conformance/open-points', 'mock/open-points'])
      for (const leaf of new Set([...settings, ...leavesOf(tree, '.ts')]))
        expect(leavesOf(tree, '.ts').includes(leaf), `${tree}/${leaf}.ts exists`).toBe(
          settings.includes(leaf),
        )
  })

  test('imports no module of node in files that run in a browser', () => {
    const wrong = files
      .filter(({ path }) => PORTABLE.some((pattern) => pattern.test(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter((specifier) => isBuiltin(specifier))
          .map((specifier) => `${path} imports ${specifier}`),
      )
    expect(wrong).toEqual([])
  })

  test('lets timers be numbers without unref, as they are in a page and in jsdom, outside of the command', () => {
    const wrong = files.filter(
      ({ path }) =>
        folderOf(path) !== 'cli' && /(?:\)|\btimer)\.unref\(\)/.test(readFileSync(join(root, path), 'utf8')),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test.each(['schemas/index.ts', 'client/index.ts', 'fixtures/index.ts', 'mock/app/app.ts'])(
    'bundles %s for a browser',
    async (entry) => {
      const { metafile } = await bundled(entry)
      const inputs = Object.keys(metafile.inputs)
      expect(inputs.length).toBeGreaterThan(3)
      expect(inputs.filter((path) => /pglite|libpg-query|(^|\/)node:/.test(path))).toEqual([])
    },
  )

  test('bundles the msw adapter for a browser so that the engine is loaded with the first statement', async () => {
    const { metafile } = await bundled('mock/msw/browser.ts', ['msw'])
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter((path) => /pglite\/dist|libpg-query|faker|(^|\/)node:/.test(path))).toEqual([])
    const atOnce = inputsAtOnce(metafile.outputs, 'out/browser.js')
    expect(atOnce).toContain('mock/msw/create-mock.ts')
    const late = /mock\/(browser|node|gate\/(?!kind\.ts))|validators|packed|jose/
    expect(atOnce.filter((path) => late.test(path))).toEqual([])
  })

  test('bundles the application so that jose is loaded with the first signed token', async () => {
    const { metafile } = await bundled('mock/app/app.ts')
    const jose = expect.stringContaining('node_modules/jose/')
    expect(Object.keys(metafile.inputs)).toContainEqual(jose)
    expect(inputsAtOnce(metafile.outputs, 'out/app.js')).not.toContainEqual(jose)
  })

  test.each([
    ['cli/start.ts', 'out/start.js'],
    ['mock/index.ts', 'out/index.js'],
    ['mock/node/pglite/engine-worker.ts', 'out/engine-worker.js'],
  ])('starts with %s without validators, schemas and requirements', async (entry, output) => {
    const { metafile } = await bundled(entry, ['*.node'], 'node')
    const atOnce = inputsAtOnce(metafile.outputs, output)
    expect(atOnce).toContain(entry)
    expect(
      atOnce.filter((path) => /generated\/(validators|schemas|openapi)|requirements/.test(path)),
    ).toEqual([])
  })

  test('judges a service without what an engineer expects of its rows', async () => {
    const { metafile } = await bundled('conformance/index.ts', ['*.node'], 'node')
    const rooms = Object.keys(metafile.inputs).map(dirname)
    expect(rooms).toContain('invariants/documented')
    expect(rooms).not.toContain('invariants/plausible')
  })

  test('imports msw only in the msw adapter', () => {
    const users = files.filter(({ imports }) => imports.some((specifier) => /^msw(\/|$)/.test(specifier)))
    expect(users.map(({ path }) => path).filter((path) => !path.startsWith('mock/msw/'))).toEqual([])
  })
})

/** Bundles a module and its imports for a page. */
const bundled = (entry: string, external: string[] = [], platform: 'browser' | 'node' = 'browser') =>
  build({
    entryPoints: [join(root, entry)],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    platform,
    format: 'esm',
    logLevel: 'silent',
    external,
  })

/** The sources of an output and of its static imports. */
function inputsAtOnce(outputs: Metafile['outputs'], output: string): string[] {
  const { inputs, imports } = outputs[output]!
  const inner = imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
  return [...Object.keys(inputs), ...inner.flatMap(({ path }) => inputsAtOnce(outputs, path))]
}

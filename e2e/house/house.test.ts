import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { describe, expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** Who may import whom. Arrows point from the contract outwards; the judge shares no code with the judged. */
const MAY_IMPORT: Record<string, string[]> = {
  schemas: [],
  invariants: ['schemas'],
  generators: ['schemas'],
  fixtures: ['schemas', 'invariants'],
  mock: ['schemas', 'invariants', 'fixtures'],
  conformance: ['schemas', 'invariants'],
  client: ['schemas'],
  cli: ['schemas', 'invariants', 'fixtures', 'mock', 'conformance', 'client'],
}

/** The same for the rooms of conformance/. Only its entry points stand beside them, and import any. */
const ROOM_MAY_IMPORT: Record<string, string[]> = {
  connection: [],
  comparisons: ['connection'],
  'open-points': ['connection', 'comparisons'],
  checks: ['connection', 'comparisons'],
  seeded: ['connection', 'comparisons', 'checks'],
  baseline: ['connection'],
  mutants: [],
  reports: [],
  traceability: ['open-points', 'checks', 'mutants'],
  run: ['connection', 'comparisons', 'open-points', 'checks', 'seeded', 'baseline', 'reports'],
}

/** What also has to run in a browser. */
const PORTABLE = [
  /^(schemas|invariants)\//,
  /^fixtures\/(?!(export|import|threads|gallery|verify)\/|generate-)/,
  /^mock\/((app|gate|engine|browser|msw|open-points)\/|(statement|syntax-tree)\.ts)/,
  /^client\//,
]

interface SourceFile {
  path: string
  /** Specifiers of static and dynamic imports. */
  imports: string[]
}

const files: SourceFile[] = Object.keys(MAY_IMPORT).flatMap((folder) => sources(join(root, folder)))

function sources(folder: string): SourceFile[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch {
    return [] // a part that is not built yet
  }
  return entries
    .filter(({ name }) => name.endsWith('.ts') && !/\.test(-helper)?\.ts$/.test(name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      const imports = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
      return { path: relative(root, path).replaceAll('\\', '/'), imports }
    })
}

/** The files of the package that a file imports, types included, relative to the root. */
const targetsOf = ({ path, imports }: SourceFile): string[] =>
  imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(path), specifier)).replaceAll('\\', '/'))

/** A circle for every import that closes one, as a path of files. */
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

const roomOf = (path: string): string | undefined => /^conformance\/([^/]+)\//.exec(path)?.[1]

/** Whether the open point at this path of the register is a setting: one with several variants. */
function isSetting(leaf: string): boolean {
  const { variants } = JSON.parse(readFileSync(join(root, `schemas/open-points/${leaf}.json`), 'utf8'))
  return variants.length > 1
}

/** The leaves below a folder that has a folder for each area, without their ending: `rows/case`. */
const leavesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.includes('/') && path.endsWith(ending) && !path.endsWith('.test.ts'))
    .map((path) => path.slice(0, -ending.length))
    .toSorted()

const usersOf = (specifiers: RegExp): string[] =>
  files
    .filter(({ imports }) => imports.some((specifier) => specifiers.test(specifier)))
    .map(({ path }) => path)

describe('the house', () => {
  test('has files to look at', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  test('imports go one way', () => {
    const wrong = files.flatMap((file) =>
      targetsOf(file)
        .filter((target) => {
          const [from, to] = [folderOf(file.path), folderOf(target)]
          return from !== to && !MAY_IMPORT[from]!.includes(to)
        })
        .map((target) => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('no file imports itself through others, not even a type', () => {
    const example = { 'a.ts': ['b.ts'], 'b.ts': ['c.ts', 'd.ts'], 'c.ts': ['b.ts'], 'd.ts': [] }
    expect(circlesIn(new Map(Object.entries(example)))).toEqual(['b.ts -> c.ts -> b.ts'])
    expect(circlesIn(new Map(files.map((file) => [file.path, targetsOf(file)])))).toEqual([])
  })

  test('imports between the rooms of conformance/ go one way', () => {
    const inside = files.filter(({ path }) => folderOf(path) === 'conformance')
    const loose = inside.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)
    expect(loose.sort()).toEqual(['index', 'node-test', 'vitest'].map((name) => `conformance/${name}.ts`))
    const wrong = inside.flatMap((file) =>
      targetsOf(file)
        .filter((target) => {
          const [from, to] = [roomOf(file.path), roomOf(target)]
          return from && to && from !== to && !ROOM_MAY_IMPORT[from]?.includes(to)
        })
        .map((target) => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('every setting has one leaf of the same path in the trees of schemas/, conformance/ and mock/', () => {
    const settings = leavesOf('schemas/open-points', '.json').filter(isSetting)
    expect(settings).toContain('rows/case')
    for (const tree of ['conformance/open-points', 'mock/open-points'])
      for (const leaf of new Set([...settings, ...leavesOf(tree, '.ts')]))
        expect(leavesOf(tree, '.ts').includes(leaf), `${tree}/${leaf}.ts exists`).toBe(
          settings.includes(leaf),
        )
  })

  test('portable folders use nothing of node', () => {
    const wrong = files
      .filter(({ path }) => PORTABLE.some((pattern) => pattern.test(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter((specifier) => specifier.startsWith('node:'))
          .map((specifier) => `${path} imports ${specifier}`),
      )
    expect(wrong).toEqual([])
  })

  test('the server knows none of its adapters; msw alone is built on the others', () => {
    const adapter = /^(?:\.\.\/)+((?:node|browser|msw)\/.*)$/
    // what is packed for a page, node starts from too
    const shared = /^browser\/packed/
    const insiders = files.filter(({ path }) => /^mock\/(?!msw\/)[\w-]+\//.test(path))
    expect(insiders.length).toBeGreaterThan(100)
    const wrong = insiders.flatMap(({ path, imports }) =>
      imports
        .map((specifier) => adapter.exec(specifier)?.[1])
        .filter((target) => target !== undefined && !shared.test(target))
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test.each(['schemas/index.ts', 'client/index.ts', 'fixtures/index.ts', 'mock/app/app.ts'])(
    '%s bundles for a browser',
    async (entry) => {
      const { metafile } = await bundled(entry)
      const inputs = Object.keys(metafile.inputs)
      expect(inputs.length).toBeGreaterThan(3)
      expect(inputs.filter((path) => /pglite|libpg-query|echarts|zrender|(^|\/)node:/.test(path))).toEqual([])
    },
  )

  test('the msw adapter bundles for a browser, and no byte of the engine comes before the first statement', async () => {
    const { metafile } = await bundled('mock/msw/browser.ts', ['msw'])
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter((path) => /pglite\/dist|libpg-query|faker|(^|\/)node:/.test(path))).toEqual([])
    const atOnce = inputsAtOnce(metafile.outputs, 'out/browser.js')
    expect(atOnce).toContain('mock/msw/create-mock.ts')
    expect(atOnce.filter((path) => /mock\/(browser|node|gate)\/|validators|packed|jose/.test(path))).toEqual(
      [],
    )
  })

  test('the library that checks signatures comes with the first token that has one', async () => {
    const { metafile } = await bundled('mock/app/app.ts')
    const jose = expect.stringContaining('node_modules/jose/')
    expect(Object.keys(metafile.inputs)).toContainEqual(jose)
    expect(inputsAtOnce(metafile.outputs, 'out/app.js')).not.toContainEqual(jose)
  })

  test('only the msw adapter needs msw', () => {
    const users = files.filter(({ imports }) => imports.some((specifier) => /^msw(\/|$)/.test(specifier)))
    expect(users.map(({ path }) => path).filter((path) => !path.startsWith('mock/msw/'))).toEqual([])
  })

  test('only the gallery draws, and only its command needs it', () => {
    const drawing = usersOf(/^(echarts|zrender)(\/|$)/)
    expect(drawing.filter((path) => !path.startsWith('fixtures/plot/'))).toEqual([])
    const outside = usersOf(/\/plot\/(?!generator)/).filter(
      (path) => !/^fixtures\/(plot|gallery)\//.test(path),
    )
    expect(outside).toEqual(['cli/commands/fixtures-plot.ts'])
  })
})

/** A module and all it imports as a page would get them. */
const bundled = (entry: string, external: string[] = []) =>
  build({
    entryPoints: [join(root, entry)],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
    external,
  })

/** The sources in an output and in all that it imports statically. */
function inputsAtOnce(outputs: Metafile['outputs'], output: string): string[] {
  const { inputs, imports } = outputs[output]!
  const inner = imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
  return [...Object.keys(inputs), ...inner.flatMap(({ path }) => inputsAtOnce(outputs, path))]
}

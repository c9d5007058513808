import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { createMock, on } from '../../../mock/msw/index.ts'
import { root } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const { keys, entries } = Object
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** What the examples of an entry use beside its exports. */
const scopes: Readonly<Record<string, string>> = {
  'mock/msw/index.ts': `import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
declare const mock: ReturnType<typeof createMock>, server: ReturnType<typeof setupServer>`,
  'client/index.ts': `declare let client: ReturnType<typeof createClient>, rows: unknown[], error: unknown
declare const session: { accessToken(): string }, login: () => Promise<void>, sleep: (ms: number) => Promise<void>
declare const store: (...changes: unknown[]) => Promise<void>`,
  'conformance/index.ts': `import { readFileSync, writeFileSync } from 'node:fs'
type Report = Awaited<ReturnType<typeof runConformance>>
declare const report: Report, before: Report, after: Report, error: unknown, baseUrl: string, token: string
declare const claim: ReturnType<typeof parseClaim>, claims: (typeof claim)[], baseline: ReturnType<typeof parseBaseline>
declare const exchange: Parameters<ReturnType<typeof createServiceJudge>['add']>[0]`,
}

const mock = createMock()
const reader = createClient({ baseUrl: 'https://data.example.org', token: 'secret' })
/** The public members of the entries, by the file that declares them. */
const members: readonly (readonly [entry: string, file: string, names: readonly string[]])[] = [
  ['mock/msw/index.ts', 'mock/msw/index.ts', ['createMock', 'handlers']],
  ['mock/msw/index.ts', 'mock/msw/on.ts', ['on', ...keys(on)]],
  ['mock/msw/index.ts', 'mock/msw/create-mock.ts', ['ready', 'session', 'close']],
  [
    'mock/msw/index.ts',
    'mock/msw/controls.ts',
    [...keys(mock).filter((name) => !['ready', 'session', 'close'].includes(name)), 'end'],
  ],
  ['mock/msw/index.ts', 'mock/control/session.ts', [...keys(mock.rows), ...keys(mock.clock)]],
  ['client/index.ts', 'client/client.ts', keys(reader)],
  ['client/index.ts', 'client/views.ts', keys(reader.views.v_formulas)],
  ...['client/index.ts', 'conformance/index.ts'].flatMap((entry) =>
    [...textOf(entry).matchAll(/^export \{([^}]+)\} from '([^']+)'/gm)].map(([, names, path]) => {
      // ClientError is the former name of ClientUsageError
      const values = names!.split(/[\s,]*[\n,]\s*/).filter((name) => /^(?!ClientError)\s*\w+\s*$/.test(name))
      return [entry, join(dirname(entry), path!), values.map((name) => name.trim())] as const
    }),
  ),
]

/** The example in the comment above the declaration of a member. */
function exampleIn(file: string, name: string): string | undefined {
  const declaration = String.raw`(?:export |async |readonly |const |function |class )*${name}\b`
  const comment = new RegExp(String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*${declaration}`).exec(textOf(file))?.[1]
  return /@example\s([^]+?)(?=\n *\* @|$(?![^]))/.exec(comment ?? '')?.[1]?.replaceAll(/^ *\*? ?/gm, '')
}

test('every public member of the mock, the client and the suite has an example that compiles', async () => {
  const examples = members.flatMap(([entry, file, names]) =>
    names.map((name) => ({ entry, of: `${file} ${name}`, code: exampleIn(file, name) })),
  )
  expect(examples.length).toBeGreaterThan(60)
  expect(examples.filter(({ code }) => !code).map(({ of }) => of)).toEqual([])
  const { dir, remove } = scratch()
  for (const [entry, scope] of entries(scopes)) {
    const exported = (await import(join(root, entry))) as object
    const own = examples.filter((one) => one.entry === entry)
    const blocks = own.map(({ of, code }, at) => `// ${of}\nexport async function e${at}() {\n${code}\n}`)
    const imports = `import { ${keys(exported).join(', ')} } from '${relative(dir, join(root, entry))}'`
    writeFileSync(join(dir, entry.replaceAll('/', '-')), [imports, scope, ...blocks].join('\n'))
  }
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['*.ts'] }),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8' })
  remove()
  expect(stdout).toBe('')
})

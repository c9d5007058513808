import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../../../schemas/index.ts'
import { launchChromium } from '../../support/chromium.ts'
import { root, startCliServer } from '../../support/cli.ts'
import { packInto } from '../../support/installed-package.ts'
import { Newcomer } from '../../support/newcomer.ts'
import { inherited, runBash } from '../../support/pipeline.ts'
import { type Edit, ofPipeline, ofTests, ofTypes } from './edits.ts'

// The project of before/ was written for 0.2.0, and its tests, its pipeline and its compiler were content there. `released.d.ts` has what
// it uses of the declarations of 0.2.0, rolled up by API Extractor, without comments.

const before = join(import.meta.dirname, 'before')
const released = 'released.d.ts'

/** The rows of "If you used" of all versions since. */
const rows = (): string[] => {
  const [since] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n## 0.2.0 ')
  const tables = since!.split('\n### If you used\n').slice(1)
  return tables.flatMap((table) => table.split(/\n##? /, 1)[0]!.match(/(?<=^\| ).*/gm) ?? [])
}

describe('a project of 0.2.0', () => {
  let project: Newcomer
  const packing = mkdtempSync(join(tmpdir(), 'bioprocess-sql-upgrade-'))
  beforeAll(() => {
    project = new Newcomer()
    project.install(packInto(packing), 'msw@2', 'vitest@4', 'typescript@7', '@types/node@20')
    copyTo(project.folder)
    rmSync(join(project.folder, released))
  })
  afterAll(() => {
    project?.remove()
    rmSync(packing, { recursive: true })
  })

  test.each([...ofTypes, ...ofTests, ...ofPipeline])('finds the row $row for $file', ({ row }) => {
    expect(rows().filter((line) => line.startsWith(row))).toHaveLength(1)
  })

  test('compiles with what 0.2.0 declared', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-0.2.0-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    copyTo(folder)
    symlinkSync(join(project.folder, 'node_modules'), join(folder, 'node_modules'))
    const paths = Object.fromEntries(
      ['', '/*'].map((entry) => [`bioprocess-sql-contract${entry}`, [`./${released}`]]),
    )
    expect(compilerErrors(folder, paths)).toEqual([])
  })

  test('does not compile where the table says so, and compiles when that is changed', () => {
    const errors = compilerErrors(project.folder)
    const explained = ofTypes.map(({ file, changes, at = '' }) => {
      const lines = [at, ...changes.map(([from]) => from)].flatMap((text) => linesOf(read(file), text))
      return errors.filter((error) => error.file === file && lines.includes(error.line))
    })
    expect(errors.filter((error) => !explained.flat().includes(error))).toEqual([])
    expect(ofTypes.filter((_, index) => explained[index]!.length === 0)).toEqual([])
    for (const edit of ofTypes) make(edit)
    expect(compilerErrors(project.folder)).toEqual([])
  })

  test('fails the tests that the table says, and none when that is changed', () => {
    const shown = ofTests.map(({ shows }) => shows!)
    const failed = failures(project.folder).map((text) => shown.find((one) => text.includes(one)) ?? text)
    expect(failed.toSorted()).toEqual(shown.toSorted())
    for (const edit of ofTests) make(edit)
    expect(failures(project.folder, '--update')).toEqual([])
    expect(failures(project.folder)).toEqual([])
    expect(compilerErrors(project.folder)).toEqual([])
  })

  test('has a pipeline that ends at each command that the table says, and passes when that is changed', async () => {
    const server = await startCliServer([
      '--scale',
      '0.01',
      '--token',
      'secret',
      '--variant',
      'http.json-error=422',
    ])
    onTestFinished(server.stop)
    const run = () => runBash('bash ci.sh', project.folder, { URL: server.baseUrl })
    for (const edit of ofPipeline) {
      const { exitCode, stderr } = await run()
      expect(stderr).toContain(edit.shows)
      expect(exitCode).not.toBe(0)
      make(edit)
    }
    await record(server.baseUrl)
    const { exitCode, stdout, stderr } = await run()
    expect(exitCode, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/✓ pass {6}REQ-VIEW-TYPES:v_quantities[^]*✓ pass {6}REQ-AUTH-4/)
  })

  /** Records what a page asks the service, as the row of the proxy says. */
  async function record(url: string): Promise<void> {
    const browser = await launchChromium()
    try {
      const context = await browser.newContext({ recordHar: { path: join(project.folder, 'seen.har') } })
      const page = await context.newPage()
      await page.goto(url)
      const request = {
        method: 'POST',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: JSON.stringify({ statement: 'SELECT * FROM v_quantities LIMIT 3' }),
      }
      const address = JSON.stringify(url + contract.endpoint.path)
      await page.evaluate(`fetch(${address}, ${JSON.stringify(request)}).then((answer) => answer.text())`)
      await context.close()
    } finally {
      await browser.close()
    }
  }

  const read = (file: string) => readFileSync(join(project.folder, file), 'utf8')

  function make({ file, changes }: Edit): void {
    for (const [from, to] of changes) {
      const parts = read(file).split(from)
      expect(parts, `${file} has ${from} once`).toHaveLength(2)
      writeFileSync(join(project.folder, file), parts.join(to))
    }
  }
})

/** The files of before/ are texts, so that nothing takes them for modules of the repository. */
function copyTo(folder: string): void {
  for (const path of readdirSync(before, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.txt')) cpSync(join(before, path), join(folder, path.slice(0, -'.txt'.length)))
}

interface Place {
  readonly file: string
  readonly line: number
  readonly message: string
}

function compilerErrors(folder: string, paths: Readonly<Record<string, string[]>> = {}): Place[] {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout, stderr } = run(folder, 'typescript/bin/tsc', '-p', '.', '--pretty', 'false')
  expect(stderr).toBe('')
  const errors = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): (.*)$/gm)]
  // an error without a place, such as one of the options
  if (errors.length === 0) expect(stdout).toBe('')
  return errors.map(([, file, line, message]) => ({ file: file!, line: Number(line), message: message! }))
}

/** The titles of the tests that fail, or the message of a file that cannot be collected. */
function failures(folder: string, ...args: string[]): string[] {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const output = run(folder, 'vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...args)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      status: string
      message: string
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }
  expect(testResults, output.stderr).toHaveLength(2)
  return testResults.flatMap(({ status, message, assertionResults }) => [
    ...(status === 'failed' && assertionResults.length === 0 ? [message] : []),
    ...assertionResults.flatMap(({ status, title }) => (status === 'failed' ? [title] : [])),
  ])
}

/** The numbers of the lines in which a text stands. */
function linesOf(file: string, text: string): number[] {
  if (text === '') return []
  const first = file.slice(0, file.indexOf(text)).split('\n').length
  return text
    .trimEnd()
    .split('\n')
    .map((_, index) => first + index)
}

const run = (folder: string, module: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(folder, 'node_modules', module), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: inherited(),
  })

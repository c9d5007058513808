import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { builtCli, end, finished, root, runCli, serving, spawnCli } from '../support/cli.ts'
import { snippetWith } from '../support/doc-snippet.ts'
import { scratch } from '../support/vendor.ts'
import { quantities } from '../../../fixtures/catalogue/quantities.ts'

const folder = scratch()
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
})
afterAll(() => folder.remove())

// the package contains a snapshot of seed 1
const serve = ['serve', '--listen', '127.0.0.1:0', '--seed', '2', '--scale', '0.01', '--token', 't']

/** Creates a project of its own: the cache is in node_modules of the working directory. */
function project(name: string) {
  const cache = join(folder.dir, name, 'node_modules/.cache/bioprocess-sql')
  mkdirSync(join(folder.dir, name, 'node_modules'), { recursive: true })
  return { dir: join(folder.dir, name), cache }
}

/** Counts the quantities that a server has. @returns its log too */
async function quantitiesOf(child: ChildProcess) {
  children.push(child)
  const { baseUrl, log } = await serving(child)
  const { rows } = await ask({ baseUrl, token: 't' }, 'SELECT id FROM v_quantities')
  return { rows: rows.length, log: log() }
}

describe('the cached snapshot', () => {
  test('has the rows that docs/front-end.md keeps, and no rows of less than a megabyte', async () => {
    const { dir, cache } = project('kept')
    const plant = join(dir, 'kept-rows')
    await runCli(['fixtures', 'export', '--scale', '0.01', '--format', 'ndjson', '--out', plant])
    const start = (data: string) =>
      finished(
        spawn(
          process.execPath,
          [
            '--input-type=module',
            '-e',
            `${data}
            await mock.ready()
            const send = { method: 'POST', headers: { authorization: 'Bearer t', 'content-type': 'application/json' } }
            const body = JSON.stringify({ statement: 'SELECT count(*) AS points FROM v_timeseries_data' })
            const answer = await mock.fetch('https://a.example/external/v1/statements/', { ...send, body })
            console.log(JSON.stringify((await answer.json()).data))
            await mock.close()`,
          ],
          { cwd: dir },
        ),
      )
    const load = `import { createMock } from '${pathToFileURL(join(root, 'dist/mock/msw/index.js'))}'\n`
    expect(await start(`${load}const mock = createMock({ data: {} })`)).toMatchObject({
      stdout: '[{"points":0}]\n',
    })
    expect(existsSync(cache)).toBe(false)
    const kept = await start(load + snippetWith('front-end.md', 'readdirSync'))
    const points = readFileSync(join(plant, 'v_timeseries_data.ndjson'), 'utf8').trimEnd().split('\n').length
    expect(kept.stdout, kept.stderr).toBe(`[{"points":${points}}]\n`)
    const files = readdirSync(cache)
    expect(files).toEqual([expect.stringMatching(/\.snapshot$/)])
    const { ino } = statSync(join(cache, files[0]!))
    expect(await start(load + snippetWith('front-end.md', 'readdirSync'))).toEqual(kept)
    expect(statSync(join(cache, files[0]!)).ino).toBe(ino)
  })

  test('is built once if two processes need it at the same time', async () => {
    const { dir, cache } = project('two')
    const both = await Promise.all([1, 2].map(() => quantitiesOf(spawnCli(serve, dir))))
    expect(both.map(({ rows }) => rows)).toEqual([quantities.length, quantities.length])
    expect(both.filter(({ log }) => log.includes('Stored'))).toHaveLength(1)
    expect(both.filter(({ log }) => log.includes('Another process builds the same snapshot'))).toHaveLength(1)
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.snapshot$/)])
  })

  test('is built by the next start if the process that builds it is killed', async () => {
    const { dir, cache } = project('killed')
    const first = spawnCli(serve, dir)
    children.push(first)
    await expect
      .poll(() => (existsSync(cache) ? readdirSync(cache) : []), { timeout: 30_000 })
      .not.toEqual([])
    first.kill('SIGKILL')
    await once(first, 'exit')
    const { rows, log } = await quantitiesOf(spawnCli(serve, dir))
    expect(rows).toBe(quantities.length)
    expect(log).toContain('The process that built the snapshot was stopped. It is built again.')
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.snapshot$/)])
  })

  // ulimit stops a file at 4 MB, as a full disk does.
  test.skipIf(process.platform === 'win32')(
    'is served from memory if it does not fit on the disk',
    async () => {
      const { dir, cache } = project('full')
      const command = [builtCli, ...serve]
      const child = spawn('sh', ['-c', 'ulimit -f 8192 && exec "$0" "$@"', process.execPath, ...command], {
        cwd: dir,
        env: { ...process.env, NO_COLOR: '1' },
      })
      const { rows, log } = await quantitiesOf(child)
      expect(rows).toBe(quantities.length)
      expect(log).toMatch(/The snapshot could not be kept in .*EFBIG.*make room there/)
      expect(readdirSync(cache)).toEqual([])
    },
  )
})

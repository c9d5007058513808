import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { builtCli, end, printed, spawnCli } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
})
afterAll(() => folder.remove())

// of another seed than the snapshot that the package brings along
const serve = ['serve', '--listen', '127.0.0.1:0', '--seed', '2', '--scale', '0.01', '--token', 't']

/** A project of its own: the cache stands beside the packages of the folder one works in. */
function project(name: string) {
  const cache = join(folder.dir, name, 'node_modules/.cache/bioprocess-sql')
  mkdirSync(join(folder.dir, name, 'node_modules'), { recursive: true })
  return { dir: join(folder.dir, name), cache }
}

async function serving(child: ChildProcess) {
  children.push(child)
  let said = ''
  child.stderr!.on('data', (text) => (said += String(text)))
  const [, baseUrl] = await printed(child, /serving\s+(\S+)/)
  const { rows } = await ask({ baseUrl: baseUrl!, token: 't' }, 'SELECT id FROM v_quantities')
  return { rows: rows.length, said }
}

describe('the snapshot', () => {
  test('is built once for two processes that need it at the same time', async () => {
    const { dir, cache } = project('two')
    const both = await Promise.all([serving(spawnCli(serve, dir)), serving(spawnCli(serve, dir))])
    expect(both.map(({ rows }) => rows)).toEqual([67, 67])
    expect(both.filter(({ said }) => said.includes('Stored'))).toHaveLength(1)
    expect(both.filter(({ said }) => said.includes('Another process builds the same snapshot'))).toHaveLength(
      1,
    )
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.snapshot$/)])
  })

  // The system itself stops the file half-way, as a full disk does: no file may grow past 4 MB.
  test.skipIf(process.platform === 'win32')(
    'that does not fit on the disk is served from memory',
    async () => {
      const { dir, cache } = project('full')
      const command = [builtCli, ...serve]
      const child = spawn('sh', ['-c', 'ulimit -f 8192 && exec "$0" "$@"', process.execPath, ...command], {
        cwd: dir,
        env: { ...process.env, NO_COLOR: '1' },
      })
      const { rows, said } = await serving(child)
      expect(rows).toBe(67)
      expect(said).toMatch(/The snapshot could not be kept in .*EFBIG.*make room there/)
      expect(readdirSync(cache)).toEqual([])
    },
  )
})

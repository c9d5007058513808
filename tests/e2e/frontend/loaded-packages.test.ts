import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'

/** Prints each module that Node loads, also in threads. */
const hooks = `import { writeSync } from 'node:fs'
export const load = (url, context, next) => (writeSync(2, 'loaded ' + url + '\\n'), next(url, context))`
const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const printing = dataUrl(
  `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`,
)

/** The packages that an install of this one adds. */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: object
}

/** The packages that a module of the package loads while `use` runs with its exports. */
function packagesOf(module: string, use: string): string[] {
  const path = pathToFileURL(join(root, 'dist', module)).href
  const script = `const loaded = await import(${JSON.stringify(path)}); ${use}`
  const args = ['--import', printing, '--input-type=module', '--eval', script]
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const names = stderr.matchAll(/^loaded \S+\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm)
  return [...new Set(Array.from(names, ([, name]) => name!))].toSorted()
}

test('the mock of a front end loads no package of PostgreSQL, of tokens or of the command', () => {
  const names = packagesOf(
    'mock/msw/index.js',
    `const mock = loaded.createMock({ log: false })
const init = { method: 'POST', headers: { authorization: 'Bearer x', 'content-type': 'application/json' } }
const { status } = await mock.fetch('http://localhost/external/v1/statements/', { ...init, body: '{"statement": "SELECT 1"}' })
await mock.close()
if (status !== 200) process.exit(1)`,
  )
  expect(names).toContain('msw')
  expect(names.filter((name) => name in dependencies)).toEqual(['hono'])
})

test('a client loads no package', () => {
  expect(packagesOf('client/index.js', '')).toEqual([])
})

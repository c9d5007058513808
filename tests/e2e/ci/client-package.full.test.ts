import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from '../../../mock/index.ts'
import { root } from '../support/cli.ts'
import { docSnippet } from '../support/doc-snippet.ts'
import { scratch } from '../support/vendor.ts'

/** An empty project with the client's own package, and nothing else. */
const project = scratch()
const installed = join(project.dir, 'node_modules/bioprocess-sql-client')
const built = join(project.dir, 'built')
let server: Server

beforeAll(async () => {
  run('npx', 'tsx', join(root, 'build/bundle-client.ts'), built)
  run('npm', 'pack', built, '--pack-destination', project.dir)
  const tarball = readdirSync(project.dir).find((name) => name.endsWith('.tgz'))!
  run('tar', '-xzf', tarball)
  mkdirSync(join(project.dir, 'node_modules'))
  cpSync(join(project.dir, 'package'), installed, { recursive: true })
  writeFileSync(join(project.dir, 'package.json'), '{"private": true, "type": "module"}')
  server = await startServer({ scale: 0.01 })
})
afterAll(async () => {
  await server?.close()
  project.remove()
})

/** Runs a program in the project. @returns its output */
function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd: project.dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('the package of the client is smaller than 1 MB and has no dependencies', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
  expect(bytes).toBeLessThan(1_000_000)
})

test('the package of the client reads rows, and its README compiles with its types', async () => {
  const page = docSnippet('client.md', 'bioprocess-sql-contract/client')
  writeFileSync(
    join(project.dir, 'page.mts'),
    page.replaceAll('bioprocess-sql-contract/client', 'bioprocess-sql-client'),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  expect(run(process.execPath, tsc, ...flags, ...types, 'page.mts')).toBe('')

  const { baseUrl, token } = server
  writeFileSync(
    join(project.dir, 'read.mjs'),
    `import { createClient } from 'bioprocess-sql-client'
     const client = createClient(${JSON.stringify({ baseUrl, token })})
     const [run] = await client.views.v_bioprocesses.select({ columns: ['id', 'name'], limit: 1 })
     console.log(Object.keys(run).join())`,
  )
  // not synchronous: the server is in this process
  const { stdout } = await promisify(execFile)(process.execPath, ['read.mjs'], { cwd: project.dir })
  expect(stdout).toBe('id,name\n')
})

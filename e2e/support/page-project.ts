import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createServer, preview } from 'vite'
import { root } from './cli.ts'
import { copyExample, packInto, unpackInto } from './installed-package.ts'

/**
 * A page of the example's project that shows nothing: tests reach the package through `window.mocks`, and msw by
 * `window.loadMsw()`.
 */
const probe = {
  'probe.html':
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/probe.js"></script>',
  'probe.js':
    "import * as mocks from 'bioprocess-sql-contract/msw'\n" +
    "Object.assign(window, { mocks, loadMsw: () => import('msw/browser') })\n",
}

export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** Puts the example and what npm would publish into a folder. */
export function createPageProject(folder: string): void {
  copyExample('service-worker-page', folder)
  unpackInto(folder, packInto(folder))
  for (const [name, text] of Object.entries(probe)) writeFileSync(join(folder, name), text)
  const msw = join(root, 'node_modules/msw/cli/index.js')
  execFileSync(process.execPath, [msw, 'init', 'public', '--no-save'], { cwd: folder, stdio: 'pipe' })
}

/** Builds the project with vite and serves the result. */
export async function serveBuilt(folder: string): Promise<Served> {
  const input = ['index.html', 'probe.html'].map((name) => join(folder, name))
  await build({ root: folder, logLevel: 'error', build: { rollupOptions: { input } } })
  return serveFiles(folder, 'dist')
}

/** Serves what was built, as plain files. */
export async function serveFiles(folder: string, outDir: string): Promise<Served> {
  const server = await preview({ root: folder, logLevel: 'error', build: { outDir }, preview: { port: 0 } })
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() }
}

/** Serves the sources with vite's development server, which has no configuration of ours either. */
export async function serveSources(folder: string): Promise<Served> {
  const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0 } })
  await server.listen()
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() }
}

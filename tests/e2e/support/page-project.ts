import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createServer, preview } from 'vite'
import { root } from './cli.ts'
import { copyExample, packInto, unpackInto } from './installed-package.ts'

/** An empty page of the project: tests reach the package through `window.mocks` and msw through `window.loadMsw()`. */
const emptyPage = {
  'empty.html':
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/empty.js"></script>',
  'empty.js':
    "import * as mocks from 'bioprocess-sql-contract/msw'\n" +
    "Object.assign(window, { mocks, loadMsw: () => import('msw/browser') })\n",
}

export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** Copies the example into a folder and installs the packed package there. */
export function createPageProject(folder: string): void {
  copyExample('service-worker-page', folder)
  unpackInto(folder, packInto(folder))
  for (const [name, text] of Object.entries(emptyPage)) writeFileSync(join(folder, name), text)
  const msw = join(root, 'node_modules/msw/cli/index.js')
  execFileSync(process.execPath, [msw, 'init', 'public', '--no-save'], { cwd: folder, stdio: 'pipe' })
}

/** Builds the project with vite and serves the result. */
export async function serveBuilt(folder: string): Promise<Served> {
  const input = ['index.html', 'empty.html'].map((name) => join(folder, name))
  await build({ root: folder, logLevel: 'error', build: { rollupOptions: { input } } })
  return serveFiles(folder, 'dist')
}

/** Serves the built files. */
export async function serveFiles(folder: string, outDir: string): Promise<Served> {
  const server = await preview({ root: folder, logLevel: 'error', build: { outDir }, preview: { port: 0 } })
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() }
}

/** Serves the sources with vite's development server, without a configuration. */
export async function serveSources(folder: string): Promise<Served> {
  const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0 } })
  await server.listen()
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() }
}

/**
 * Bundles the command line, each thread and the handlers for tests into few files: loading one file instead of 250 saves a
 * tenth of a start (decisions/0013), and a fifth of the first statement in a test worker. The other modules of the library
 * stay as they are, for other bundlers. Part of `npm run build`.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

const dist = resolve(import.meta.dirname, '../dist')
const entries = [
  'cli/main.js',
  'fixtures/export/encode-worker.js',
  'mock/msw/index.js',
  'mock/node/pglite/engine-worker.js',
  'mock/node/pglite/plant-worker.js',
  'mock/node/pglite/snapshot-worker.js',
  'mock/node/postgres/gate/gate-worker.js',
  'mock/node/postgres/load/load-worker.js',
  'proxy/judge/worker.js',
]
const CHUNK = 'bundled-'
const folderOf = (entry: string) => join(dist, dirname(entry))

/** Modules find files of the package by their own URL, which stays what it was before bundling. */
const keepUrls = (folder: string): Plugin => ({
  name: 'keep-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const url = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`
      return { contents: text.replaceAll('import.meta.url', url) }
    })
  },
})

/** The snapshot is data of 3.5 MB. It is not copied into the bundle. */
const leaveData = (folder: string): Plugin => ({
  name: 'leave-data',
  setup({ onResolve }) {
    onResolve({ filter: /packed-data\.js$/ }, ({ path, resolveDir }) => ({
      path: `./${relative(folder, join(resolveDir, path))}`,
      external: true,
    }))
  },
})

async function bundle(entry: string): Promise<void> {
  const folder = folderOf(entry)
  await build({
    entryPoints: [join(folder, basename(entry))],
    outdir: folder,
    chunkNames: `${CHUNK}[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    allowOverwrite: true,
    logLevel: 'error',
    plugins: [keepUrls(folder), leaveData(folder)],
  })
}

for (const folder of new Set(entries.map(folderOf)))
  for (const name of readdirSync(folder)) if (name.startsWith(CHUNK)) rmSync(join(folder, name))
await Promise.all(entries.map(bundle))

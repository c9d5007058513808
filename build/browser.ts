/**
 * Packs the plants and the engine of a page: the default plant as snapshot.ts does, the worker's code and the WebAssembly of PGlite and the
 * parser into dist/mock/browser/packed.js, and the snapshot of the smallest plant into packed-data.js. They are modules because every
 * bundler includes a module, while a package cannot know how its other files are served. The rows of the scenarios go into
 * packed-scenarios.js, the licences of the packages into packed.licences.txt. Part of `npm run build`.
 */
import './snapshot.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Packed } from '../mock/browser/packed.ts'
import { packedPlant } from '../mock/browser/packed-plant.ts'
import { pgliteDirectory } from '../mock/node/pglite/artifacts.ts'
import { compress } from './compress.ts'
import { engineFilesOfPage } from './engine-files.ts'
import { licencesOf, packagesIn } from './licences.ts'
import { packedScenarios } from './scenarios.ts'
import { createSnapshot } from '../mock/node/pglite/index.ts'

const root = resolve(import.meta.dirname, '..')
const browser = join(root, 'mock/browser')
const parserDirectory = dirname(createRequire(import.meta.url).resolve('libpg-query'))

/** The code of the worker, and the packages whose code is in it. */
async function bundleWorker(): Promise<{ code: string; packages: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(browser, 'worker.ts')],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    // a blob has no URL; this one makes a remaining access to a file fail with a clear error
    define: { 'import.meta.url': '"https://packed.invalid/"' },
    // imported only in node
    external: builtinModules.flatMap((name) => [name, `node:${name}`]),
    logLevel: 'error',
  })
  return { code: outputFiles[0]!.text, packages: packagesIn(metafile) }
}

const pack = async (bytes: Uint8Array) => (await compress(bytes)).toString('base64')
const packFile = async (...path: string[]) => pack(await readFile(join(...path)))
const zip = (bytes: Uint8Array | string) => gzipSync(bytes, { level: 9 }).toString('base64')

const [worker, brotli, database, files, parser, snapshot] = await Promise.all([
  bundleWorker(),
  readFile(createRequire(import.meta.url).resolve('brotli-dec-wasm/web/bg.wasm')),
  packFile(pgliteDirectory, 'pglite.wasm'),
  engineFilesOfPage(pgliteDirectory).then(pack),
  packFile(parserDirectory, 'libpg-query.wasm'),
  createSnapshot(packedPlant).then(pack),
])
const engine: Omit<Packed, 'snapshot'> = {
  worker: zip(worker.code),
  brotli: zip(brotli),
  database,
  files,
  parser,
}
const write = (name: string, text: string) => writeFile(join(root, 'dist/mock/browser', name), text)
/** An empty source map. To a module without any, Vite's development server adds one that is larger than the module. */
const map = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })
const noMap = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`
await write(
  'packed-scenarios.js',
  `export const packedScenarios = ${JSON.stringify(await packedScenarios())}\n${noMap}`,
)
await write('packed-data.js', `export const packedData = ${JSON.stringify(snapshot)}\n${noMap}`)
await write(
  'packed.js',
  `import { packedData as snapshot } from './packed-data.js'\nexport const packed = { ...${JSON.stringify(engine)}, snapshot }\n${noMap}`,
)
await write('packed.licences.txt', await licencesOf(worker.packages))

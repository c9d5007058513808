/**
 * Packs the engine of a page into modules: the worker's code and the WebAssembly of PGlite and the parser into
 * dist/mock/browser/packed.js, and the snapshot of the smallest plant into packed-data.js. They are modules because every
 * bundler includes a module, while a package cannot know how its other files are served. The licences of the packages go
 * into packed.licences.txt. Part of `npm run build`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build } from 'esbuild'
import type { Packed } from '../mock/browser/packed.ts'
import { packedPlant } from '../mock/browser/packed-plant.ts'
import { pgliteDirectory } from '../mock/node/pglite/artifacts.ts'
import { engineFilesOfPage } from './engine-files.ts'
import { licencesOf, packagesIn } from './licences.ts'
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

const compress = promisify(gzip)
const pack = async (bytes: Uint8Array) => (await compress(bytes, { level: 9 })).toString('base64')
const packFile = async (...path: string[]) => pack(await readFile(join(...path)))

const [worker, database, files, parser, snapshot] = await Promise.all([
  bundleWorker(),
  packFile(pgliteDirectory, 'pglite.wasm'),
  engineFilesOfPage(pgliteDirectory).then(pack),
  packFile(parserDirectory, 'libpg-query.wasm'),
  createSnapshot(packedPlant).then(pack),
])
const engine: Omit<Packed, 'snapshot'> = { worker: worker.code, database, files, parser }
const write = (name: string, text: string) => writeFile(join(root, 'dist/mock/browser', name), text)
await write('packed-data.js', `export const packedData = ${JSON.stringify(snapshot)}\n`)
await write(
  'packed.js',
  `import { packedData as snapshot } from './packed-data.js'\nexport const packed = { ...${JSON.stringify(engine)}, snapshot }\n`,
)
await write('packed.licences.txt', await licencesOf(worker.packages))

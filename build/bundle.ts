/**
 * Writes the JSON that modules import into them: vitest 4 loads no JSON in its pools `vmThreads` and `vmForks`, and some
 * browsers know no import attributes. Bundles the command line, each thread and the handlers for tests into few files: loading one file instead of 250 saves a
 * tenth of a start (docs/decisions/0010), and a fifth of the first statement in a test worker. The other modules of the library
 * stay as they are, for other bundlers; those that only the bundles import are removed. Packages that are no dependencies of
 * the manifest are bundled, and their licences go into dist/cli/licences.txt. Part of `npm run build`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { commitOf } from '../cli/package.ts'
import { licencesOf, packagesIn } from './licences.ts'
import { withImports } from './with-imports.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const { dependencies, peerDependencies, exports } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'peerDependencies', object> & {
  exports: Readonly<
    Record<string, string | Readonly<Record<string, string | Readonly<Record<string, string>>>>>
  >
}
const entries = [
  'cli/main.js',
  'fixtures/export/encode-worker.js',
  'mock/msw/index.js',
  'mock/node/pglite/engine-worker.js',
  'mock/node/pglite/live/plant-worker.js',
  'mock/node/pglite/snapshot/snapshot-worker.js',
  'mock/node/postgres/analysis/analysis-worker.js',
]
const requireHere = createRequire(import.meta.url)
const CHUNK = 'bundled-'
const folderOf = (entry: string) => join(dist, dirname(entry))
/** As the path of a URL. */
const pathTo = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')

/**
 * Modules find files of the package by their own URL, which stays what it was before bundling. `String` hides it from Vite: in a
 * linked package, Vite takes `new URL('file', import.meta.url)` for an asset of the page and replaces it by an http URL.
 */
const keepUrls = (folder: string): Plugin => ({
  name: 'keep-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const url = `new URL(${JSON.stringify(pathTo(folder, path))}, String(import.meta.url)).href`
      return { contents: text.replaceAll('import.meta.url', url) }
    })
  },
})

/** The snapshot and the scenarios are data of 3 MB. They are not copied into the bundle. */
const leaveData = (folder: string): Plugin => ({
  name: 'leave-data',
  setup({ onResolve }) {
    onResolve({ filter: /packed-(data|scenarios)\.js$/ }, ({ path, resolveDir }) => ({
      path: `./${pathTo(folder, join(resolveDir, path))}`,
      external: true,
    }))
  },
})

const namesOf = (path: string): string[] =>
  Object.keys(requireHere(path) as object).filter((name) => name !== 'default')

/**
 * Requires packages that are CommonJS. When a module imports one, Node first searches its text for the names of exports: for the
 * parser that takes 5 % of a start on one core (docs/decisions/0010).
 */
const requireCommonJs: Plugin = {
  name: 'require-commonjs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(commander|libpg-query\/wasm\/libpg-query\.js)$/ }, ({ path }) => ({
      path,
      namespace: 'required',
    }))
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `import { createRequire } from 'node:module'
        const required = createRequire(import.meta.url)('${path}')
        export default required
        export const { ${namesOf(path).join(', ')} } = required`,
    }))
  },
}

async function bundle(entry: string): Promise<Metafile> {
  const folder = folderOf(entry)
  const { metafile } = await build({
    entryPoints: [join(folder, basename(entry))],
    outdir: folder,
    chunkNames: `${CHUNK}[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    metafile: true,
    absWorkingDir: root,
    allowOverwrite: true,
    logLevel: 'error',
    plugins: [requireCommonJs, keepUrls(folder), leaveData(folder)],
  })
  return metafile
}

/** Each JSON file is imported by one module. */
function inlineJson(file: string): void {
  const text = readFileSync(file, 'utf8')
  const inlined = text.replaceAll(
    /^import (\w+) from '(.+\.json)' with { type: 'json' };$/gm,
    (_, name: string, specifier: string) => {
      const json = resolve(dirname(file), specifier)
      const data: unknown = JSON.parse(readFileSync(json, 'utf8'))
      rmSync(json)
      return `const ${name} = ${JSON.stringify(data)};`
    },
  )
  if (inlined !== text) writeFileSync(file, inlined)
}

for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.js')) inlineJson(join(dist, path))
for (const folder of new Set(entries.map(folderOf)))
  for (const name of readdirSync(folder)) if (name.startsWith(CHUNK)) rmSync(join(folder, name))
const metafiles = await Promise.all(entries.map(bundle))
writeFileSync(join(dist, 'cli/commit.txt'), commitOf(root) ?? '')
writeFileSync(join(dist, 'cli/licences.txt'), await licencesOf(metafiles.flatMap(packagesIn)))

/** What can be loaded: the bundles, the entries of the package, and what those import. */
const loaded = new Set(
  metafiles.flatMap(({ outputs }) => Object.keys(outputs)).map((file) => join(root, file)),
)
for (const entry of Object.values(exports))
  if (typeof entry !== 'string')
    for (const file of Object.values(entry).flatMap((target) =>
      typeof target === 'string' ? target : Object.values(target),
    ))
      withImports(join(root, file), undefined, loaded)
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const file = join(dist, path)
  if (/\.(js|d\.ts)$/.test(path) && !loaded.has(file)) rmSync(file)
}

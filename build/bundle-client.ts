/**
 * `npx tsx build/bundle-client.ts FOLDER` writes the client as a package of its own, without dependencies: the client and what
 * it imports, from the build. Run `npm run build` before.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withImports } from './with-imports.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const built = join(root, 'dist')
const name = 'bioprocess-sql-client'

/** The client and what it imports. @throws Error for an import of another package */
const filesOf = (entry: string) =>
  withImports(entry, (file, specifier) => {
    throw new Error(`${file} imports ${specifier}. The client has no dependencies: import only files.`)
  })

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the package.')
const entry = join(built, 'client/index.js')
if (!existsSync(entry)) throw new Error(`${entry} does not exist. Run npm run build.`)

for (const file of [...filesOf(entry), ...filesOf(entry.replace(/\.js$/, '.d.ts'))]) {
  const copy = join(folder, relative(built, file))
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(file, copy)
}
const { version, license, author, repository, homepage, bugs, engines } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const manifest = {
  name,
  version,
  description: 'A typed client of the Bioprocess Data SQL Query Service contract, without dependencies.',
  license,
  author,
  repository,
  homepage,
  bugs,
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './client/index.d.ts', default: './client/index.js' } },
  engines,
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
writeFileSync(join(folder, 'README.md'), page.replaceAll('bioprocess-sql-contract/client', name))

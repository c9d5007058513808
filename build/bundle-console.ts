/**
 * Bundles the page into dist/console. Names carry a hash of the content, so that browsers may keep the files. The same files
 * are the playground: it starts with playground.html, and loads the engine from engine/, which `console --static` adds. The
 * licences of the packages go into licences.txt. Part of `npm run build`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { licencesOf, packagesIn } from './licences.ts'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'console')
const out = join(root, 'dist/console')

/** The engine is 12 MB of data, which the package has already. */
const leaveEngine: Plugin = {
  name: 'leave-engine',
  setup({ onResolve }) {
    onResolve({ filter: /\/packed\.ts$/ }, () => ({ path: './engine/packed.js', external: true }))
  },
}

/** What the application loads for requests that the page never sends: documents, and signed tokens. */
const leaveUnused: Plugin = {
  name: 'leave-unused',
  setup({ onResolve }) {
    const filter = /\/schemas\/openapi\.ts$|\/generated\/schemas\.ts$|^jose$/
    onResolve({ filter }, () => ({ path: './left-out.js', external: true, sideEffects: false }))
  },
}

/** For hosts that set no headers; see mock/app/admin/page.ts. The engine is WebAssembly in workers of the page's own. */
const policy =
  '<meta http-equiv="Content-Security-Policy" content="' +
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'\" />"

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const { metafile } = await build({
  entryPoints: [join(source, 'main.tsx')],
  outdir: out,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  metafile: true,
  absWorkingDir: root,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'error',
  plugins: [leaveEngine, leaveUnused],
})
const [script, style] = ['.js', '.css'].map((end) =>
  readdirSync(out).find((name) => name.startsWith('main-') && name.endsWith(end))!,
)
const template = readFileSync(join(source, 'index.template.html'), 'utf8')
for (const [name, mode] of [
  ['index.html', 'server'],
  ['playground.html', 'playground'],
] as const) {
  const fill: Readonly<Record<string, string>> = {
    policy: mode === 'playground' ? policy : '',
    mode,
    script: script!,
    style: style!,
  }
  writeFileSync(
    join(out, name),
    template.replaceAll(/\{(policy|mode|script|style)\}/g, (_, key: string) => fill[key]!),
  )
}
writeFileSync(join(out, 'licences.txt'), await licencesOf(packagesIn(metafile)))

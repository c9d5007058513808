import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

/** The first TypeScript or JavaScript snippet of the README that imports from this entry of the package, as it stands. */
export function readmeSnippet(entry: string): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```[tj]s\n([^]*?)^```/gm)].map(([, text]) => text!)
  const found = snippets.find((text) => text.includes(`from '${entry}'`))
  if (!found) throw new Error(`The README has no snippet that imports from ${entry}.`)
  return found
}

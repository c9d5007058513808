import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cli.ts'

/** The first TypeScript or JavaScript snippet of a page in docs/ that imports from this entry of the package. */
export const docSnippet = (page: string, entry: string): string => snippetWith(page, `from '${entry}'`)

/** The first TypeScript or JavaScript snippet of a page in docs/ with this text. */
export function snippetWith(page: string, part: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const snippets = [...text.matchAll(/^```[tj]s\n([^]*?)^```/gm)].map(([, snippet]) => snippet!)
  const found = snippets.find((snippet) => snippet.includes(part))
  if (!found) throw new Error(`docs/${page} has no snippet with: ${part}`)
  return found
}

/** The shell snippets of a page in docs/, in their order. */
export function shellSnippets(page: string): string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, snippet]) => snippet!)
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What only initdb reads, and modules that no statement can load: the reader may not use them. */
const unused = /^\/pglite\/(lib\/|share\/postgresql\/[^/]+\.(bki|sql|sample|txt)$)/

/**
 * The files around PGlite, pglite.data, as a page needs them: it starts from a snapshot, so the unused ones are zeros, which
 * compress to nothing. The places of the others stay the same, because pglite.js knows them.
 *
 * @param directory that of PGlite's built files
 * @throws Error if pglite.js no longer lists the files
 */
export async function engineFilesOfPage(directory: string): Promise<Uint8Array> {
  const [script, files] = await Promise.all([
    readFile(join(directory, 'pglite.js'), 'utf8'),
    readFile(join(directory, 'pglite.data')),
  ])
  const places = [...script.matchAll(/filename:"([^"]+)",start:(\d+),end:(\d+)/g)]
  const found = places.filter(([, path]) => unused.test(path!))
  if (found.length === 0)
    throw new Error('pglite.js no longer lists the files of pglite.data. Adapt `places`.')
  for (const [, , start, end] of found) files.fill(0, Number(start), Number(end))
  return files
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { PageFiles } from '../app/admin/page.ts'

/** The folder of the built page, seen from the sources and from the compiled files. */
const folders = ['../../dist/console/', '../../console/'].map((path) => new URL(path, import.meta.url))

/** The folder of the built page; undefined in a clone that is not built. */
export const pageFolder = (): URL | undefined =>
  folders.find((folder) => existsSync(new URL('index.html', folder)))

/** Reads a file of the built page. Names with a slash or a leading dot are not among them. */
export const pageFiles: PageFiles = async (name) => {
  const folder = pageFolder()
  if (!folder || !/^[\w-][\w.-]*$/.test(name)) return undefined
  try {
    return await readFile(new URL(name, folder))
  } catch {
    return undefined
  }
}

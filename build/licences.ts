import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Metafile } from 'esbuild'

const root = resolve(import.meta.dirname, '..')

/** The packages whose code is in a bundle. */
export const packagesIn = ({ inputs }: Metafile): string[] => {
  const packages = Object.keys(inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [...new Set(packages)].toSorted()
}

/** The licences of packages, because most require that copies carry them. @throws if a package has none */
export async function licencesOf(packages: readonly string[]): Promise<string> {
  const texts = [...new Set(packages)].toSorted().map(async (name) => {
    const folder = join(root, 'node_modules', name)
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined)
      throw new Error(`${name} has no licence file. Leave it out of the browser bundle.`)
    return `${name}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}

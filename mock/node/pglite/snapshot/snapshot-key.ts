import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ddl } from '../../../../schemas/generated/ddl.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'
import { lockdown } from '../../../engine/snapshot/lockdown.ts'

/** The sources that determine the content of a snapshot, relative to this file. */
const sources = ['../../../../base', '../../../../fixtures', '../../../engine/snapshot']

/**
 * The key of the snapshot of a generated plant, or of rows with a digest. Snapshots with equal keys have equal content, also
 * after changes of the package.
 */
export const snapshotKey = (options: GeneratorOptions | { readonly sha256: string | number }): string =>
  hashOf([
    tablesKey(),
    version('@faker-js/faker'),
    JSON.stringify(Object.entries(options).sort()),
    sourceHash(),
  ])

/** The key of tables, views and rights. Snapshots with equal keys differ in their rows only. */
export const tablesKey = (): string => hashOf([ddl, lockdown, version('@electric-sql/pglite')])

function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 32)
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const directory of sources) {
    const root = fileURLToPath(new URL(directory, import.meta.url))
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js)$/.test(name) && !/\.(test|test-helper|d)\.ts$/.test(name))
      .sort()
    for (const name of names)
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}

/** The version of a package. Reads its package.json, because not every package exports it. */
function version(name: string): string {
  let directory = dirname(createRequire(import.meta.url).resolve(name))
  while (!existsSync(join(directory, 'package.json'))) {
    if (directory === dirname(directory)) return ''
    directory = dirname(directory)
  }
  return (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Where dated tables are kept. */
export const results = join(repository, 'bench', 'results')

/** The peers' own project. */
export const peersProject = join(repository, 'bench', 'peers')

/** For logs, generated configurations and caches of one run; gone when it ends. */
export const scratch = mkdtempSync(join(tmpdir(), 'bioprocess-sql-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

/** The npm project of the peers. */
export const peersProject = join(repository, 'tests', 'bench', 'peers')

/** A temporary folder for logs, configurations and caches of one run. */
export const scratch = mkdtempSync(join(tmpdir(), 'bioprocess-sql-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

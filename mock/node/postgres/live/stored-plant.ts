import type pg from 'pg'
import { microsOf, type Micros } from '../../../../fixtures/time.ts'
import type { GeneratorOptions } from '../../../engine/generator-options.ts'
import { DatabaseError } from '../database-error.ts'
import type { Layout } from '../load/layout.ts'
import { readState } from '../load/state.ts'

/** The plant in a database and the time that it has reached. */
export interface StoredPlant {
  readonly key: string
  readonly plant: GeneratorOptions
  readonly now: Micros
}

/**
 * Reads which plant is in a database and how far it has advanced.
 *
 * @throws DatabaseError if there is none, it is not whole, another version loaded it, or the role does not own its tables
 */
export async function readPlant(
  client: pg.Client,
  layout: Layout,
  version: string | undefined,
): Promise<StoredPlant> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT pg_has_role(nspowner, 'USAGE') AS owns FROM pg_namespace WHERE nspname = $1`,
    [layout.tables],
  )
  if (rows[0]?.owns === false)
    throw new DatabaseError(
      `The role ${client.user} does not own the schema ${layout.tables}. Name its owner in --live-database, the role that \`fixtures load\` used.`,
    )
  const state = await readState(client, layout)
  if (!state?.complete)
    throw new DatabaseError(
      `The schema ${layout.tables} contains no whole plant, and --live advances only one that \`fixtures load\` made. Load it first, or leave out --live.`,
    )
  const { version: loadedBy, ...plant } = JSON.parse(state.key) as GeneratorOptions & { version: string }
  if (version !== undefined && loadedBy !== version)
    throw new DatabaseError(
      `Version ${loadedBy} loaded the plant, and version ${version} may simulate other rows. Load it again with \`fixtures load --restart\`.`,
    )
  return { key: state.key, plant, now: microsOf('reached', state.reached) }
}

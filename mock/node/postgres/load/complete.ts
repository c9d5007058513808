import type pg from 'pg'
import { DatabaseError } from '../errors.ts'
import { lackingViews } from '../inspect/lacking-views.ts'
import { checkRights } from '../inspect/rights.ts'
import type { Layout } from './layout.ts'
import { roleExists } from './reader-role.ts'

const incomplete = (what: string): DatabaseError =>
  new DatabaseError(`This plant is loaded already, but ${what}. Load it again with --restart.`)

/** @throws DatabaseError if a plant that is loaded lacks a view, or its reader or the rights of it, or the reader has more of them */
export async function refuseIncomplete(
  client: pg.Client,
  host: string,
  { views: schema }: Layout,
  reader: string,
): Promise<void> {
  if (!(await roleExists(client, reader))) throw incomplete(`the role ${reader} does not exist`)
  await checkRights(client, host, reader, schema)
  const { missing, denied } = await lackingViews(client, schema, reader)
  if (missing.length > 0) throw incomplete(`the schema ${schema} has no ${missing.join(', ')}`)
  if (denied.length > 0) throw incomplete(`the role ${reader} may not read ${denied.join(', ')}`)
}

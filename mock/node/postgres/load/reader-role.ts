import pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError, DatabaseOptionError } from '../errors.ts'
import type { Layout } from './layout.ts'

/** @throws DatabaseOptionError for a name that no role can have */
export function checkRoleName(role: string): void {
  if (role.length > 0 && Buffer.byteLength(role) <= 63 && !/^pg_|\0/.test(role)) return
  throw new DatabaseOptionError(
    'The name of --reader is empty, longer than 63 bytes, or begins with pg_. Choose another one.',
  )
}

/** Creates the role that `serve` uses, unless it exists. @throws DatabaseError if the owner may not create roles */
export async function createReader(client: pg.Client, role: string, password?: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  if (rowCount! > 0) return
  const name = pg.escapeIdentifier(role)
  const secret = password === undefined ? '' : ` PASSWORD ${pg.escapeLiteral(password)}`
  try {
    await client.query(`CREATE ROLE ${name} LOGIN${secret}`)
    await client.query(`ALTER ROLE ${name} SET default_transaction_read_only = on`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new DatabaseError(
      `The role ${client.user} may not create roles. Let an administrator run: CREATE ROLE ${name} LOGIN PASSWORD '...'; then load again.`,
    )
  }
}

/** The statements that let the role read the views, and nothing else. */
export function grants({ sql }: Layout, role: string): readonly string[] {
  const name = pg.escapeIdentifier(role)
  return [
    `REVOKE ALL ON SCHEMA ${sql.tables} FROM PUBLIC`,
    `GRANT USAGE ON SCHEMA ${sql.views} TO ${name}`,
    ...views.map((view) => `GRANT SELECT ON ${sql.views}.${view.name} TO ${name}`),
  ]
}

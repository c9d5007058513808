import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { DatabaseOptionError } from '../errors.ts'

const iterations = 4096

/**
 * What PostgreSQL stores of a password (RFC 5803), as `\password` of psql sends it: the password itself would stand in the log
 * of the server.
 *
 * @throws DatabaseOptionError for a character beyond ASCII, which clients encode in different ways
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  if (!/^[ -~]+$/.test(password))
    throw new DatabaseOptionError(
      'BIOPROCESS_SQL_READER_PASSWORD is empty or has a character that is not printable ASCII. Choose another password.',
    )
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

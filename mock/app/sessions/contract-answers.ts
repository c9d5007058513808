import { contract } from '../../../schemas/contract.ts'
import { SqlError } from '../../statement.ts'

/** The conditions of the contract's error table. */
export type ErrorKind = 'syntax' | 'unknown-view' | 'exception'

const errors: Readonly<Record<ErrorKind, (statement: string) => SqlError>> = {
  syntax: (statement) => {
    const near = statement.trim().split(/\s+/)[0] || 'SELEC'
    return new SqlError('syntax', `syntax error at or near "${near}"`, '42601')
  },
  'unknown-view': (statement) => {
    const view = /\bfrom\s+"?(\w+)/i.exec(statement)?.[1] ?? 'v_unknown'
    return new SqlError('unknown-relation', `relation "${view}" does not exist`, '42P01', view)
  },
  exception: () => new SqlError('other', 'an exception was asked for', 'XX000'),
}

export const errorKinds = Object.keys(errors) as ErrorKind[]

/** The error of a statement that meets one of these conditions. */
export const contractError = (kind: ErrorKind, statement: string): SqlError => errors[kind](statement)

/** The envelope of a success with these rows. */
export function envelopeOf(rows: readonly object[]): string {
  const { success, empty } = contract.messages
  return JSON.stringify({
    data: rows,
    status: { state: 'success', message: rows.length === 0 ? empty : success },
  })
}

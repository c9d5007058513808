import { contract } from '../../../schemas/contract.ts'

/** The envelope of a success with these rows. */
export function envelopeOf(rows: readonly object[]): string {
  const { success, empty } = contract.messages
  return JSON.stringify({
    data: rows,
    status: { state: 'success', message: rows.length === 0 ? empty : success },
  })
}

import { contract } from '../../../schemas/contract.ts'
import { implement } from '../implement.ts'

/** The message of a success without rows. */
export const emptyMessage = implement<'messages.empty', string>('messages.empty', {
  'ran-no-results': contract.messages.empty,
  'no-results': 'No results',
})

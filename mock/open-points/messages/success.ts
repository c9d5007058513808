import { contract } from '../../../schemas/contract.ts'
import { implement } from '../implement.ts'

/** The message of a success with rows; a function if the rows have to be counted. */
export const successMessage = implement<'messages.success', string | ((rows: number) => string)>(
  'messages.success',
  {
    executed: contract.messages.success,
    success: 'success',
    empty: '',
    'row-count': (rows) => (rows === 1 ? '1 row' : `${rows} rows`),
  },
)

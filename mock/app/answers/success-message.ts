import { contract } from '../../../schemas/generated/contract.ts'
import type { Behaviour } from '../behaviour.ts'

/** The message beside rows (NS-50). */
export function successMessage(message: Behaviour['msg.success'], rows: () => number): string {
  switch (message) {
    case 'executed':
      return contract.messages.success
    case 'success':
      return 'success'
    case 'empty':
      return ''
    case 'row-count':
      return rows() === 1 ? '1 row' : `${rows()} rows`
  }
}

/** The message that there are none (Execute a statement, rule 4; NS-51). */
export const emptyMessage = (message: Behaviour['msg.empty']): string =>
  message === 'ran-no-results' ? contract.messages.empty : 'No results'

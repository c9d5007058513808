import { contract } from '../../../schemas/contract.ts'
import type { Settings } from '../settings.ts'

/** The message beside rows (NS-50). */
export function successMessage(message: Settings['messages.success'], rows: () => number): string {
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
export const emptyMessage = (message: Settings['messages.empty']): string =>
  message === 'ran-no-results' ? contract.messages.empty : 'No results'

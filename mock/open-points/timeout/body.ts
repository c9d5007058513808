import { contract } from '../../../schemas/contract.ts'
import { implement } from '../implement.ts'
import type { Body } from '../kinds.ts'

const status = contract.limits.timeoutStatus
const heading = '504 Gateway Time-out'

/** The body of the answer to a statement that ran into the time limit; undefined: the envelope. */
export const timeoutBody = implement<'timeout.body', undefined | ((message: string) => Body)>(
  'timeout.body',
  {
    envelope: undefined,
    html: () => ({
      text: `<html><head><title>${heading}</title></head><body><h1>${heading}</h1></body></html>`,
      type: 'text/html',
    }),
    message: () => ({ text: JSON.stringify({ message: 'Endpoint request timed out' }) }),
    'problem-json': (message) => ({
      text: JSON.stringify({ type: 'about:blank', title: 'Gateway Timeout', status, detail: message }),
      type: 'application/problem+json',
    }),
    empty: () => ({ text: '' }),
  },
)

import { contract } from '../../../schemas/index.ts'
import { errorReply, reply, wrapper, type Call, type Mutant, type Next } from '../mutant.ts'

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Replaces every 504. */
const insteadOf504 = (answer: () => Promise<Response>) =>
  wrapper(async (call, next) => {
    const response = await next(call)
    return response.status === contract.limits.timeoutStatus ? answer() : response
  })

/** Replies 504 after `ms` milliseconds. */
const cutAfter = (ms: number) => wrapper((call, next) => Promise.race([next(call), after(ms).then(timeout)]))

const timeout = () => errorReply('The statement ran too long.', contract.limits.timeoutStatus)

const success = () => reply({ data: [{ pg_sleep: '' }], status: { state: 'success', message: '' } })

/** A response that never comes. */
const noResponse = ({ init }: Call): Promise<never> =>
  new Promise((_, reject) =>
    init.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error)),
  )

/** Defects of the time limit. */
export const timeMutants: Mutant[] = [
  {
    id: 'time-no-limit',
    breaks: 'REQ-TIME-1',
    defect: 'A statement that exceeds the limit is served.',
    wrap: insteadOf504(async () => {
      await after(500)
      return success()
    }),
  },
  {
    id: 'time-limit-once',
    breaks: 'REQ-TIME-1',
    defect: 'After the first 504, a statement that exceeds the limit is served.',
    wrap: (fetch) => {
      let isLost = false
      return insteadOf504(async () => {
        if (!isLost) {
          isLost = true
          return timeout()
        }
        await after(5500)
        return success()
      })(fetch)
    },
  },
  {
    id: 'time-500',
    breaks: 'REQ-TIME-1',
    defect: 'At the limit the status is 500.',
    wrap: insteadOf504(async () => errorReply(contract.messages.exception, 500)),
  },
  {
    id: 'time-503',
    breaks: 'REQ-TIME-1',
    defect: 'At the limit the status is 503.',
    wrap: insteadOf504(async () => errorReply(contract.messages.exception, 503)),
  },
  {
    id: 'time-error-200',
    breaks: 'REQ-TIME-1',
    defect: 'At the limit the status is 200 with state error.',
    wrap: insteadOf504(async () => errorReply('canceling statement due to statement timeout')),
  },
  {
    id: 'time-reset',
    breaks: 'REQ-TIME-1',
    defect: 'At the limit the connection is closed.',
    wrap: insteadOf504(async () => {
      const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
      throw new TypeError('fetch failed', { cause })
    }),
  },
  {
    id: 'time-late',
    breaks: 'REQ-TIME-1',
    defect: 'The 504 comes 5.5 s late.',
    wrap: insteadOf504(async () => {
      await after(5500)
      return timeout()
    }),
  },
  {
    id: 'time-wedged',
    breaks: 'REQ-TIME-5',
    defect: 'After a 504 no request gets a response.',
    wrap: (fetch) => {
      let wedged = false
      const answer = async (call: Call, next: Next) => {
        if (wedged) return noResponse(call)
        const response = await next(call)
        wedged = response.status === contract.limits.timeoutStatus
        return response
      }
      return wrapper(answer)(fetch)
    },
  },
  {
    id: 'time-cut-short',
    breaks: 'REQ-TIME-1',
    defect: 'The 504 comes after three quarters of the limit.',
    wrap: cutAfter(1500),
  },
  {
    id: 'time-refuses-later',
    breaks: 'REQ-HTTP-1',
    defect: 'After a 504 every statement is refused.',
    wrap: (fetch) => {
      let isOver = false
      return wrapper(async (call, next) => {
        if (isOver) return errorReply('current transaction is aborted')
        const response = await next(call)
        isOver = response.status === contract.limits.timeoutStatus
        return response
      })(fetch)
    },
  },
  {
    id: 'time-early',
    breaks: 'REQ-TIME-1:should',
    defect: 'The 504 comes after one second.',
    wrap: cutAfter(1000),
  },
]

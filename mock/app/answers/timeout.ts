import { contract } from '../../../schemas/contract.ts'
import type { StatementTimeout } from '../../engine/engine.ts'
import { type Answer, answerWhole, errorEnvelope } from '../answer.ts'
import type { Settings } from '../settings.ts'
import { reset } from './reset.ts'

/** The answer to a statement that ran longer than the limit (Errors, the 504). */
export function answerTimeout(error: StatementTimeout, settings: Settings): Answer {
  if (settings['timeout.mode'] === 'reset') return reset
  const status = contract.limits.timeoutStatus
  const title = '504 Gateway Time-out'
  switch (settings['timeout.body']) {
    case 'envelope':
      return errorEnvelope(status, error.message)
    case 'message':
      return answerWhole(status, JSON.stringify({ message: 'Endpoint request timed out' }))
    case 'html': {
      const page = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
      return answerWhole(status, page, { 'content-type': 'text/html' })
    }
    case 'problem-json': {
      const problem = { type: 'about:blank', title: 'Gateway Timeout', status, detail: error.message }
      return answerWhole(status, JSON.stringify(problem), { 'content-type': 'application/problem+json' })
    }
    case 'empty':
      return answerWhole(status, '')
  }
}

/** What a variant makes of the limit of one statement, for its engine. */
export function limitOf(settings: Settings): { limitShiftMs?: number; runsOn?: true } | undefined {
  switch (settings['timeout.mode']) {
    case 'second-early':
      return { limitShiftMs: -1000 }
    case 'second-late':
      // up to a second late, and the way to the client takes some of it
      return { limitShiftMs: 900 }
    case 'runs-on':
      return { runsOn: true }
    default:
      return undefined
  }
}

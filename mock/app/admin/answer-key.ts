import { Hono } from 'hono'
import type { Cause } from '../../../fixtures/answer-key/cause.ts'
import { Refusal } from '../answer/refusal.ts'
import { answerWhole, toResponse } from '../answer/answer.ts'
import type { SessionOf } from './routes.ts'

/**
 * The planted causes of the runs that have started at a time, ISO 8601.
 *
 * @param run the id of a bioprocess: only the causes that act on it. Default: those of all
 */
export type AnswerKey = (now: string, run?: string) => Promise<Iterable<Cause>>

/**
 * `/_mock/answer-key`: GET lists the planted causes as NDJSON, in the form of `answer-key.jsonl` of an export; with `?run=<id>`
 * those that act on this bioprocess.
 */
export function answerKeyRoutes(answerKey: AnswerKey | undefined, sessionOf: SessionOf): Hono {
  return new Hono().get('/', async ({ req }) => {
    if (!answerKey) throw new Refusal(404, noAnswerKey)
    let lines = ''
    for (const cause of await answerKey(sessionOf(req.raw).rows.clock.state.now, req.query('run'))) {
      lines += `${JSON.stringify(cause)}\n`
      // some runs are simulated for it: others are answered between them
      await new Promise((resolve) => setTimeout(resolve))
    }
    return toResponse(answerWhole(200, lines, { 'content-type': 'application/x-ndjson' }))
  })
}

const noAnswerKey =
  'Nobody planted causes in these rows. Only a server of the simulated plant has an answer key: `serve` without --data and --database.'

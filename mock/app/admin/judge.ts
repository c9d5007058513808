import { type Context, Hono } from 'hono'
import { Refusal } from '../answer/refusal.ts'
import { sessionHeader } from '../sessions/sessions.ts'
import { toResponse } from '../answer/answer.ts'
import { readShortBody } from '../request/limits.ts'
import { json } from './routes.ts'

/** What is to be judged. Default: this server. */
export interface JudgeTask {
  readonly baseUrl?: string
  readonly token?: string
  /** The session of this server. Default: the common one. */
  readonly session?: string
}

/** The HTML report of a run, and a name for its address that nobody guesses. */
export interface JudgeReport {
  readonly id: string
  readonly html: string
}

/** Runs the suite, of which the server imports nothing. */
export interface Judge {
  /** Whether other servers than this one may be judged. */
  readonly allowsTargets: boolean
  /**
   * Starts the suite.
   *
   * @returns the report as NDJSON, line by line while the suite runs; cancelling it ends the run
   * @throws Refusal for a target that may not be judged, or while another run lasts
   */
  run(task: JudgeTask, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** The report of the last run that ended; undefined before. */
  report(): JudgeReport | undefined
}

/** `/_mock/judge`: POST `{baseUrl, token}` answers the report as it grows, GET the path of the last HTML report. */
export function judgeRoutes(judge: Judge, closing: AbortSignal): Hono {
  const run = async ({ req }: Context) => {
    const session = req.header(sessionHeader)
    const task = { ...taskIn(await readShortBody(req.raw)), ...(session !== undefined && { session }) }
    const body = await judge.run(task, AbortSignal.any([req.raw.signal, closing]))
    return toResponse({ status: 200, headers: { 'content-type': 'application/x-ndjson' }, body })
  }
  const report = () => {
    const last = judge.report()
    return json(last ? { report: `/console/reports/${last.id}` } : {})
  }
  return new Hono().post('/', run).get('/', report)
}

function taskIn(body: string): JudgeTask {
  try {
    const { baseUrl, token } = JSON.parse(body) as JudgeTask
    if ([baseUrl, token].every((value) => value === undefined || typeof value === 'string'))
      return { ...(baseUrl !== undefined && { baseUrl }), ...(token !== undefined && { token }) }
  } catch {
    // told below
  }
  throw new Refusal(400, 'Send {} to judge this server, or {"baseUrl": "https://…", "token": "…"}.')
}

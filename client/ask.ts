import type { StatementEnvelope } from '../schemas/generated/types.ts'
import { TruncatedResult, UnexpectedAnswer } from './errors.ts'
import { checkNumbers, type ClientOptions } from './options.ts'
import { readAnswer } from './read-answer.ts'
import { withRetries } from './retries.ts'
import { rowsByName, UnreadableRows, type Row } from './rows.ts'
import { createSend } from './send.ts'

/** One statement and what becomes of it. Rejects with a `StatementError`, or with the reason of an aborted signal. */
export interface Ask {
  /** The envelope of a success, as it came. */
  envelope(statement: string, signal: AbortSignal | undefined): Promise<StatementEnvelope>
  /**
   * The rows by column name, all of them.
   *
   * @param columns the columns that the statement names, where it does
   * @param refine what else is to be done to them; an UnreadableRows it throws is told as any other
   */
  rows(
    statement: string,
    signal: AbortSignal | undefined,
    columns?: readonly string[],
    refine?: (rows: Row[]) => Row[],
  ): Promise<Row[]>
}

/** @throws ClientError for options that can not work */
export function createAsk(options: ClientOptions): Ask {
  checkNumbers(options)
  const { retries = 0, parse = JSON.parse } = options
  const send = createSend(options)

  const exchange = (statement: string, signal: AbortSignal | undefined) =>
    withRetries(
      async () => {
        const answer = await send(statement, signal)
        return { answer, envelope: readAnswer(answer, statement, parse) }
      },
      retries,
      signal,
    )

  return {
    envelope: async (statement, signal) => (await exchange(statement, signal)).envelope,
    rows: async (statement, signal, columns, refine = (rows) => rows) => {
      const { answer, envelope } = await exchange(statement, signal)
      const failed = { statement, status: answer.status, serviceMessage: envelope.status.message }
      if (isCut(envelope, answer.headers)) throw new TruncatedResult(envelope.data, failed)
      try {
        return refine(rowsByName(envelope, columns))
      } catch (error) {
        if (error instanceof UnreadableRows)
          throw new UnexpectedAnswer(error.message, failed, { cause: error })
        throw error
      }
    },
  }
}

/** "Maximum rows per response and any paging: not shown" (NS-36): the two ways in which services announce a cut. */
const isCut = (envelope: StatementEnvelope, headers: Headers): boolean =>
  (envelope as { truncated?: unknown }).truncated === true || /\brel="?next\b/.test(headers.get('link') ?? '')

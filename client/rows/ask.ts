import type { StatementEnvelope } from '../../schemas/generated/types.ts'
import { type Adaptation, renamed } from './adaptation.ts'
import { TruncatedResult, UnexpectedAnswer } from '../errors.ts'
import type { ClientOptions } from '../options.ts'
import { type Answer, readAnswer } from '../request/read-answer.ts'
import { withRetries } from '../request/retries.ts'
import { rowsByName, UnreadableRows, type Row } from './rows.ts'
import { createSend } from '../request/send.ts'

/** Sends statements and reads their answers. Rejects with a `StatementError` or with the reason of an aborted signal. */
export interface Ask {
  /** The unchanged envelope of a success. */
  envelope(statement: string, signal: AbortSignal | undefined): Promise<StatementEnvelope>
  /**
   * All rows, by column name.
   *
   * @param columns the columns of the statement, if it names them
   * @param refine changes the rows; may throw UnreadableRows. Default: gives keys their documented names as far as known
   */
  rows(
    statement: string,
    signal: AbortSignal | undefined,
    columns?: readonly string[],
    refine?: (rows: Row[]) => Row[] | Promise<Row[]>,
  ): Promise<Row[]>
}

/** @throws ClientUsageError for an invalid base URL or token */
export function createAsk(options: ClientOptions, adaptation: Adaptation): Ask {
  const { retries = 0, parse = JSON.parse } = options
  const send = createSend(options)

  const exchange = <T>(
    statement: string,
    signal: AbortSignal | undefined,
    read: (envelope: StatementEnvelope, answer: Answer) => T | Promise<T>,
  ) =>
    withRetries(
      () => send(statement, signal, (answer) => read(readAnswer(answer, statement, parse), answer)),
      retries,
      signal,
    )

  return {
    envelope: (statement, signal) => exchange(statement, signal, (envelope) => envelope),
    rows: (statement, signal, columns, refine = (rows) => renamed(rows, adaptation)) =>
      exchange(statement, signal, async (envelope, { status, headers, redact }) => {
        const failed = { statement, status, serviceMessage: redact(envelope.status.message) }
        if (isTruncated(envelope, headers, adaptation)) throw new TruncatedResult(envelope.data, failed)
        try {
          return await refine(rowsByName(envelope, columns))
        } catch (error) {
          if (error instanceof UnreadableRows)
            throw new UnexpectedAnswer(error.message, failed, { cause: error })
          throw error
        }
      }),
  }
}

/** Whether rows may be missing: a member or a link says so, or the profile's limit is reached (rows.max). */
const isTruncated = (envelope: StatementEnvelope, headers: Headers, { maxRows }: Adaptation): boolean =>
  (envelope as { truncated?: unknown }).truncated === true ||
  /\brel="?next\b/.test(headers.get('link') ?? '') ||
  (maxRows !== undefined && envelope.data.length >= maxRows)

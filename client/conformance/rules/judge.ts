import type { Exchange } from './exchange.ts'
import type { ClientFinding } from './finding.ts'
import { DeltaReads } from './delta-reads.ts'
import { cutAnswersReadAgain, lateRowsKept, tiesKept } from './deltas.ts'
import { authorization, contentType, oneStatement, tokenSource, validBody } from './request-form.ts'
import { retryAfterKept } from './retry-after.ts'
import type { Rule } from './rule.ts'
import { statementRequest } from './statement-request.ts'
import { noRepetition } from './time-limit.ts'

export interface JudgeOptions {
  /** Path in front of the path of the endpoint, such as `/plant-1`. Default: none. */
  readonly basePath?: string
  /**
   * The number of times that the client sends a statement anyway, for instance because several tests need it. Only more than
   * that is a repetition after a 504. The statement has no comments, and single spaces. Default: 0.
   */
  readonly usual?: (statement: string) => number
}

/** Judges traffic while it passes; keeps no bodies. */
export interface ClientJudge {
  /**
   * Takes the next exchange. Exchanges are taken in the order of their ends.
   *
   * @param number names it in findings. Default: how many came before
   */
  add(exchange: Exchange, number?: number): void
  /** The findings so far, one for each client-side requirement in the order of the register. */
  findings(): ClientFinding[]
}

/** The rules in the order of the register, made anew for each judge. */
const rulesOf = ({ usual = () => 0 }: JudgeOptions): Rule[] => [
  contentType(),
  oneStatement(),
  validBody(),
  tokenSource(),
  authorization(),
  tiesKept(),
  lateRowsKept(),
  cutAnswersReadAgain(),
  noRepetition(usual),
  retryAfterKept(),
]

/** A judge of one client. The traffic of several clients needs one each. */
export function createClientJudge(options: JudgeOptions = {}): ClientJudge {
  const { basePath = '' } = options
  const all = rulesOf(options)
  const reads = new DeltaReads()
  let count = 0
  return {
    add: (exchange, number = count++) => {
      const request = statementRequest(exchange, number, basePath)
      if (!request) return
      const continuation = reads.take(request)
      for (const rule of all) rule.add({ ...request, ...(continuation && { continuation }) })
    },
    findings: () => all.map((rule) => rule.finding()),
  }
}

/**
 * Judges recorded traffic of one client by the client-side requirements of schemas/requirements.json.
 *
 * @param exchanges in the order of their ends
 */
export async function judgeClient(
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
  options: JudgeOptions = {},
): Promise<ClientFinding[]> {
  const judge = createClientJudge(options)
  for await (const exchange of exchanges) judge.add(exchange)
  return judge.findings()
}

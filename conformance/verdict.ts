import type { CheckResult, Verdict } from '../schemas/index.ts'
import { requirements } from '../schemas/index.ts'

/** The time a statement may run by the contract, in milliseconds. */
const CONTRACT_LIMIT_MS = 30_000

export interface VerdictInput {
  results: readonly CheckResult[]
  /** Requirements whose checks were left out by `--only` or `--skip`. */
  leftOut: ReadonlySet<string>
  timeLimitMs: number
  strict: boolean
  /** Why the target can not be reached, where it can not (any more). */
  unreachable: string | undefined
}

export interface Judgement {
  verdict: Verdict
  /** One sentence for everything that stands between the target and `conformant`. */
  reasons: string[]
}

/**
 * Conformant means: every requirement that the contract states for servers was exercised and passed, at the
 * contract's own time limit. What was not looked at is never counted as good.
 */
export function judge({ results, leftOut, timeLimitMs, strict, unreachable }: VerdictInput): Judgement {
  const failed = results.filter(
    ({ outcome, notes }) =>
      outcome === 'fail' || (strict && (outcome === 'warn' || (notes?.length ?? 0) > 0)),
  )
  if (failed.length > 0) {
    return {
      verdict: 'non-conformant',
      reasons: failed.map(({ id, requirement, message }) => `${requirement} (${id}): ${message}`),
    }
  }
  if (unreachable !== undefined) return { verdict: 'unreachable', reasons: [unreachable] }
  const broken = results.filter(({ outcome }) => outcome === 'error')
  if (broken.length > 0) {
    return {
      verdict: 'suite-error',
      reasons: broken.map(
        ({ id, message }) => `The check ${id} broke, which is the suite's fault: ${message}`,
      ),
    }
  }
  const gaps = musts.flatMap((must) => gapsOf(must, results, leftOut))
  if (timeLimitMs !== CONTRACT_LIMIT_MS) {
    gaps.push(`The time limit was ${timeLimitMs / 1000} s; the contract's is ${CONTRACT_LIMIT_MS / 1000} s.`)
  }
  if (gaps.length > 0) return { verdict: 'incomplete', reasons: gaps }
  const waived = results.some(({ outcome }) => outcome === 'waived')
  return { verdict: waived ? 'conformant-with-waivers' : 'conformant', reasons: [] }
}

const musts = requirements.filter(({ side, level }) => side === 'server' && level === 'must')

function gapsOf(
  { id, conditional }: (typeof requirements)[number],
  results: readonly CheckResult[],
  leftOut: ReadonlySet<string>,
): string[] {
  if (leftOut.has(id)) return [`${id}: not all of its checks were selected.`]
  const own = results.filter(({ requirement }) => requirement === id)
  if (own.length === 0) return [`${id}: the suite has no check for it.`]
  return own
    .filter(({ outcome }) => outcome === 'inconclusive' || (outcome === 'not-exercised' && !conditional))
    .map(({ id: checkId, outcome, message }) => `${id} (${checkId}): ${outcome}, ${message}`)
}

/** Process exit codes of the suite. */
export function exitCodeOf(verdict: Verdict, allowIncomplete: boolean): 0 | 1 | 3 | 4 {
  switch (verdict) {
    case 'conformant':
    case 'conformant-with-waivers':
      return 0
    case 'non-conformant':
      return 1
    case 'incomplete':
      return allowIncomplete ? 0 : 3
    case 'unreachable':
    case 'suite-error':
      return 4
  }
}

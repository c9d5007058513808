import { counted } from '../../base/text/counted.ts'
import type { CheckResult, RequirementSetName, Verdict } from '../../schemas/index.ts'
import { isInSet, requirements } from '../../schemas/index.ts'
import { isFailure } from '../baseline/waivers.ts'

/** The time limit of a statement in the contract, in milliseconds. */
const CONTRACT_LIMIT_MS = 30_000

export interface VerdictInput {
  results: readonly CheckResult[]
  /** Requirements with a check that `--only` or `--skip` excludes. */
  leftOut: ReadonlySet<string>
  timeLimitMs: number
  strict: boolean
  /** Why the target is unreachable; undefined if it is reachable. */
  unreachable: string | undefined
  /** The message of an error of the suite that ended the run; undefined if none did. */
  failure?: string | undefined
  /** One sentence for each baseline entry whose check now passes. */
  stale?: readonly string[]
  /** Default `next`: every check counts. */
  requirementSet?: RequirementSetName | undefined
  /** Checks outside of the set: they are notes, and leave no gap either. */
  notes?: ReadonlySet<string>
  /** Why the run ended early; undefined if it did not. */
  endedEarly?: string | undefined
}

export interface VerdictWithReasons {
  verdict: Verdict
  /** One sentence for each reason why the verdict is not `conformant`. */
  reasons: string[]
}

/**
 * The verdict `conformant` means that every MUST for servers was exercised and passed, at the time limit of the
 * contract. A requirement that was not exercised never counts as met.
 */
export function verdictOf(input: VerdictInput): VerdictWithReasons {
  const { results, leftOut, timeLimitMs, strict, unreachable, failure, stale = [], endedEarly } = input
  const { requirementSet: set = 'next', notes = new Set() } = input
  if (failure !== undefined)
    return {
      verdict: 'suite-error',
      reasons: [`The suite failed after ${results.length} checks, which is a bug of the suite: ${failure}`],
    }
  const failed = results
    .filter((result) => isFailure(result, strict))
    .map(({ id, requirement, message }) => `${requirement} (${id}): ${message}`)
  if (failed.length + stale.length > 0)
    return {
      verdict: 'non-conformant',
      reasons: [
        ...failed,
        ...stale,
        ...(unreachable === undefined ? [] : [unreachable]),
        ...waiversIn(results),
      ],
    }
  if (unreachable !== undefined) return { verdict: 'unreachable', reasons: [unreachable] }
  const broken = results.filter(({ outcome }) => outcome === 'error')
  if (broken.length > 0) {
    return {
      verdict: 'suite-error',
      reasons: broken.map(
        ({ id, message }) => `The check ${id} threw an error, which is a bug of the suite: ${message}`,
      ),
    }
  }
  const inSet = musts.filter(({ id }) => isInSet(id, set))
  const counting = results.filter(({ id }) => !notes.has(id))
  const unselected = inSet.filter(({ id }) => leftOut.has(id)).map(({ id }) => id)
  const gaps = inSet.filter(({ id }) => !leftOut.has(id)).flatMap((must) => gapsOf(must, counting))
  if (timeLimitMs !== CONTRACT_LIMIT_MS) {
    gaps.push(
      `The time limit was ${timeLimitMs / 1000} s instead of ${CONTRACT_LIMIT_MS / 1000} s, the limit of the contract.`,
    )
  }
  if (gaps.length > 1) gaps.unshift(causeOf(results, timeLimitMs))
  if (unselected.length > 0)
    gaps.push(
      `Checks of ${counted(unselected.length, 'requirement')} were not selected: ${unselected.join(', ')}.`,
    )
  if (endedEarly !== undefined) gaps.unshift(`The run ended early because ${endedEarly}.`)
  const waivers = waiversIn(results)
  if (gaps.length > 0) return { verdict: 'incomplete', reasons: [...gaps, ...waivers] }
  return { verdict: waivers.length > 0 ? 'conformant-with-waivers' : 'conformant', reasons: waivers }
}

/** Whether replies or time lacked: the reasons after it list both alike. */
function causeOf(results: readonly CheckResult[], timeLimitMs: number): string {
  const count = results.filter(({ outcome, level }) => outcome === 'inconclusive' && level === 'must').length
  const replies = count > 0 ? `Replies never came, or proved nothing: ${count}` : 'No reply was missing'
  return `${replies}; the time limit was ${timeLimitMs === CONTRACT_LIMIT_MS ? 'that of the contract' : 'short'}.`
}

/** One sentence for each waived failure. */
const waiversIn = (results: readonly CheckResult[]): string[] =>
  results
    .filter(({ outcome }) => outcome === 'waived')
    .map(({ id, requirement, waiver }) => {
      const until = waiver?.expires === undefined ? '' : ` until ${waiver.expires}`
      return `${requirement} (${id}) is waived${until}: ${waiver?.reason ?? 'no reason given'}`
    })

const musts = requirements.filter(({ side, level }) => side === 'server' && level === 'must')

function gapsOf(
  { id, conditional }: (typeof requirements)[number],
  results: readonly CheckResult[],
): string[] {
  const own = results.filter(({ requirement }) => requirement === id)
  if (own.length === 0) return [`${id}: the suite has no check for it.`]
  return own
    .filter(({ outcome }) => outcome === 'inconclusive' || (outcome === 'not-exercised' && !conditional))
    .map(({ id: checkId, outcome, message }) => `${id} (${checkId}): ${outcome}, ${message}`)
}

/**
 * The exit code of the process for a verdict: 0 conformant, 1 non-conformant, 3 incomplete, 4 unreachable or an error of the suite.
 * @example process.exitCode = exitCodeOf(report.verdict, false)
 * @param allowIncomplete whether an incomplete run passes
 */
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

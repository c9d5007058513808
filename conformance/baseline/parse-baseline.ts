import { contract, type Baseline } from '../../schemas/index.ts'
import { problemIn } from '../../schemas/problem.ts'
import { parseJson } from '../../base/text/explain-json.ts'
import { UsageError } from '../connection/usage-error.ts'
import { closeIds } from './close-ids.ts'

/** The reason that --write-baseline writes for a new failure. */
export const UNEXPLAINED = 'TODO: say why this is accepted'

/**
 * Reads the text of a baseline.
 * @example const baseline = parseBaseline(readFileSync('known.json', 'utf8'), 'known.json')
 * @param source names the file in errors
 * @param remedy ends the error
 * @throws UsageError when the text is not JSON or not a baseline
 */
export function parseBaseline(
  text: string,
  source: string,
  remedy = `Write a new one with --write-baseline ${source}.`,
): Baseline {
  const wrong = (detail: string) => new UsageError(`${source} is not a baseline: ${detail}. ${remedy}`)
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw wrong((error as Error).message)
  }
  const problem = problemOf(value)
  if (problem !== undefined) throw wrong(problem)
  return value as Baseline
}

function problemOf(value: unknown): string | undefined {
  const problem = problemIn('baseline', value)
  if (problem !== undefined) return problem
  const { version } = contract
  const { contract: of } = value as Baseline
  return of === version ? undefined : `it is for the contract ${of}, and the contract here is ${version}`
}

/**
 * Rejects a value that is no baseline, and one with an unknown check, a day that does not exist, or a waiver without a reason.
 *
 * @param known ids of all checks, selected or not
 * @throws UsageError
 */
export function checkBaseline(baseline: Baseline, known: readonly string[]): void {
  for (const [id, { reason, expires }] of Object.entries(baseline.waivers ?? {})) {
    requireCheck(id, known, `The baseline waives "${id}"`)
    if (/^\s*(TODO\b.*)?$/is.test(reason))
      throw new UsageError(`The baseline waives ${id} without a reason. Replace "${reason}" by a reason.`)
    if (expires !== undefined && !isDay(expires))
      throw new UsageError(
        `The waiver of ${id} expires on "${expires}", which is not a date. Write it as 2026-12-31.`,
      )
  }
  const problem = problemOf(baseline)
  if (problem !== undefined) throw new UsageError(`The baseline is none: ${problem}.`)
}

/**
 * Rejects acceptances of unknown checks, and those without a reason.
 *
 * @param known ids of all checks, selected or not
 * @throws UsageError
 */
export function checkAcceptedGaps(reasons: Readonly<Record<string, string>>, known: readonly string[]): void {
  for (const [id, reason] of Object.entries(reasons)) {
    requireCheck(id, known, `--accept-not-exercised names "${id}"`)
    if (reason.trim() === '')
      throw new UsageError(
        `--accept-not-exercised ${id} has no reason. Write --accept-not-exercised "${id}=reason".`,
      )
  }
}

/** @throws UsageError which starts with `subject` */
function requireCheck(id: string, known: readonly string[], subject: string): void {
  if (known.includes(id)) return
  const close = closeIds(id, known)
  const remedy = close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'List the ids with --list.'
  throw new UsageError(`${subject}, which is not a check. ${remedy}`)
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

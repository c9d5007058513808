import { isSetting, type OpenPoint, openPoints } from '../../schemas/open-points.ts'
import type { HabitReport, HabitResult } from './habits/types.ts'

/** What a report of the suite observed of a service, as `profileOf` of `conformance` gives it. */
export interface ObservedService {
  readonly variants: Readonly<Record<string, string>>
  /** What was seen at open points and is no known variant. */
  readonly unmatched?: Readonly<Record<string, string>>
}

/**
 * The reasons why the report of a client does not show that it works with a service; none if it does.
 *
 * @param accepted ids of open points that are left out
 * @example for (const reason of deployProblems(habits, profileOf(report))) console.error(reason)
 */
export function deployProblems(
  client: HabitReport,
  { variants, unmatched = {} }: ObservedService,
  accepted: readonly string[] = [],
): string[] {
  const results = new Map(client.results.map((result) => [result.id, result]))
  const ofPoint = ({ id, default: byDefault, variants: known }: OpenPoint): string[] => {
    const [seen, other] = [variants[id], unmatched[id]]
    if (other !== undefined) return [`${id} is no known variant, so no test covers it: ${other}`]
    // the tests pass without any habit
    if (seen === (client.plain.variants?.[id] ?? byDefault)) return []
    if (seen !== undefined) return problemsOf(`${id}=${seen}`, results.get(`${id}=${seen}`))
    return known.flatMap(({ slug }) => {
      const { outcome, standing } = results.get(`${id}=${slug}`) ?? {}
      return outcome === 'stopped' && standing === 'neutral'
        ? [`${id}=${slug} stops the client, and the report does not show what the service does`]
        : []
    })
  }
  return [
    ...client.plain.findings
      .filter(({ outcome }) => outcome === 'fail')
      .map(({ requirement, sentence }) => `the client breaks ${requirement}: ${sentence}`),
    ...openPoints.filter(({ id }) => isSetting(id) && !accepted.includes(id)).flatMap(ofPoint),
  ]
}

function problemsOf(habit: string, result: HabitResult | undefined): string[] {
  if (result === undefined || result.outcome === 'not run')
    return [`the service has ${habit}, which the client was not tested with`]
  if (result.outcome !== 'stopped') return []
  return [
    `the service has ${habit}, which stops the client: ${result.failure?.message ?? 'it breaks a requirement'}`,
  ]
}

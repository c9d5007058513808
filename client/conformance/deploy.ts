import {
  findOpenPoint,
  isSetting,
  type OpenPoint,
  openPoints,
  type Variant,
} from '../../schemas/open-points.ts'
import type { HabitReport, HabitResult } from './habits/types.ts'

/** What a report of the suite observed of a service, as `profileOf` of `conformance` gives it. */
export interface ObservedService {
  readonly variants: Readonly<Record<string, string>>
  /** What was seen at open points and is no known variant. */
  readonly unmatched?: Readonly<Record<string, string>>
}

/** A variant that the tests were run with and that does not stop the client. A waiver says nothing about a service. */
const copes = (result: HabitResult | undefined) =>
  result?.outcome === 'survived' || result?.outcome === 'not met'

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
  const tested = (id: string, slug: string) => results.get(`${id}=${slug}`)
  const ofPoint = ({ id, default: byDefault, variants: known }: OpenPoint): string[] => {
    const [seen, other] = [variants[id], unmatched[id]]
    if (other !== undefined) return [`${id} has no known variant, so no test covers it: ${other}`]
    // the tests pass without any habit
    const usual = client.plain.variants?.[id] ?? byDefault
    if (seen !== undefined)
      return seen === usual ? [] : problemsOf(`the service has ${id}=${seen}`, tested(id, seen))
    return (
      (known as readonly Variant[])
        .filter(({ slug, standing }) => slug !== usual && standing === 'neutral')
        // no client can read what its token may not
        .filter(({ slug }) => tested(id, slug)?.standing !== 'fault')
        .flatMap(({ slug }) =>
          problemsOf(`the report does not show whether the service has ${id}=${slug}`, tested(id, slug)),
        )
    )
  }
  const unknown = Object.keys({ ...variants, ...unmatched }).filter((id) => !findOpenPoint(id))
  return [
    ...client.plain.findings
      .filter(({ outcome }) => outcome === 'fail')
      .map(({ requirement, sentence }) => `the client breaks ${requirement}: ${sentence}`),
    ...openPoints.filter(({ id }) => isSetting(id) && !accepted.includes(id)).flatMap(ofPoint),
    ...unknown.map((id) => `the service has ${id}, which this version does not know, so no test covers it`),
  ]
}

function problemsOf(fact: string, result: HabitResult | undefined): string[] {
  if (copes(result)) return []
  if (result?.outcome !== 'stopped' && result?.outcome !== 'waived')
    return [`${fact}, which the client was not tested with`]
  return [`${fact}, which stops the client: ${result.failure?.message ?? 'it breaks a requirement'}`]
}

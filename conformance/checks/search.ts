import type { Target } from '../connection/target.ts'
import { documentedKinds, type DocumentedKind } from '../search/statements/classify.ts'
import { searchOnce } from '../search/search-once.ts'
import { check, observed, type Check, type Finding } from './check.ts'
import { reportKind } from './findings/report-kind.ts'

/**
 * The finding for one kind. Other checks of these requirements say whether they could be tested, so this one need not, unless the
 * target refused or did not serve its statements.
 */
async function searched(t: Target, kind: DocumentedKind): Promise<Finding> {
  const { fuzz: count = 0 } = t.options
  const result = await searchOnce(t)
  if (!result) return observed('no view with several rows could be read whole')
  const source = 'the whole views, filtered in the client'
  const finding = reportKind(result, kind, source, count > 0 ? `--fuzz ${count}` : undefined)
  const isFound = finding.outcome === 'pass' || finding.outcome === 'fail'
  const { left, refused, unserved } = result.tally[kind]
  return isFound || left + refused + unserved > 0 ? finding : { ...finding, outcome: 'observed' }
}

const checks: Record<DocumentedKind, Pick<Check, 'title' | 'killedBy'>> = {
  select: {
    title: 'return the same rows for every list of columns',
    killedBy: ['named-columns-swapped', 'select-refused-without-limit', 'times-of-next-row'],
  },
  limit: {
    title: 'return that many rows of the view for every LIMIT',
    killedBy: ['limit-repeats-first-row'],
  },
  'delta-by-date': {
    title: 'return the rows that changed after a date, in every form of delta',
    killedBy: ['delta-loses-row', 'delta-one-row-per-time'],
  },
  'delta-by-newest': {
    title: 'return the rows that changed after the newest row of another view, for every view',
    killedBy: ['delta-subquery-min', 'delta-newest-of-experiments'],
  },
  join: {
    title: 'return the same rows as a join in the client, for every documented relation in both directions',
    killedBy: ['join-inner', 'join-refused-without-limit', 'join-right-column-first'],
  },
}

/** Checks that compare generated statements with the target's own rows. */
export const searchChecks: Check[] = (Object.keys(documentedKinds) as DocumentedKind[]).map((kind) =>
  check({
    id: `search.${kind}`,
    requirement: documentedKinds[kind],
    ...checks[kind],
    repeats: true,
    run: (t) => searched(t, kind),
  }),
)

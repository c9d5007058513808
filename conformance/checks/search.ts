import { joinSpelling } from '../connection/samples/join.ts'
import type { Target } from '../connection/target.ts'
import { documentedKinds, type DocumentedKind } from '../search/statements/classify.ts'
import { fuzz, type FuzzResult } from '../search/fuzz.ts'
import { generateDocumented } from '../search/statements/generate-documented.ts'
import { OwnRows } from '../search/own-rows.ts'
import { randomOf } from '../search/statements/random.ts'
import { SideBySide } from '../search/side-by-side.ts'
import { spread } from '../search/statements/spread.ts'
import { check, observed, type Check, type Finding } from './check.ts'
import { reportKind } from './findings/report-kind.ts'

/** The seed of the statements: every run sends the same ones for the same rows. */
const SEED = 1
/** Maximum number of statements sent to shrink one in a run without `--fuzz`. */
const FEW_TRIES = 12

/** Sends the statements and compares the rows with those of the views; undefined if no view can be read whole. */
async function search(t: Target): Promise<FuzzResult | undefined> {
  const own = await OwnRows.read(t)
  if (own.views.length === 0) return undefined
  const { as } = await joinSpelling(t)
  const context = { random: randomOf(SEED), values: await own.values(), views: own.views, as }
  const { fuzz: count = 0 } = t.options
  const queries = [
    ...spread(context, own.changing),
    ...Array.from({ length: count }, () => generateDocumented(context)),
  ].filter(({ limit = 0 }) => limit <= t.rows(limit))
  return fuzz(new SideBySide(t, own, (sql) => t.shared(sql)), {
    queries,
    concurrency: 1,
    refusalsDiffer: false,
    ...(count === 0 && { tries: FEW_TRIES }),
  })
}

/**
 * The finding for one kind. Other checks of these requirements say whether they could be tested, so this one need not, unless the
 * target refused or did not serve its statements.
 */
async function searched(t: Target, kind: DocumentedKind): Promise<Finding> {
  const { fuzz: count = 0 } = t.options
  const result = await t.once('search', () => search(t))
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
    killedBy: ['named-columns-swapped', 'select-refused-without-limit'],
  },
  limit: {
    title: 'return that many rows of the view for every LIMIT',
    killedBy: ['limit-repeats-first-row'],
  },
  'delta-by-date': {
    title: 'return the rows that changed after a date, in every form of delta',
    killedBy: ['delta-loses-row'],
  },
  'delta-by-newest': {
    title: 'return the rows that changed after the newest row of another view, for every view',
    killedBy: ['delta-subquery-min'],
  },
  join: {
    title: 'return the same rows as a join in the client, for every documented relation in both directions',
    killedBy: ['join-inner', 'join-refused-without-limit'],
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

import { causeOf, features } from './features.ts'
import { shrink } from './shrink.ts'
import { questionOf, type Disagreement, type Comparison, type SideBySide } from './side-by-side.ts'
import { documentedKind, type DocumentedKind } from './classify.ts'
import { render } from './render.ts'
import { isGrouped, type Query } from './syntax.ts'
import { echoed } from '../connection/secrets.ts'

export interface FuzzOptions {
  queries: readonly Query[]
  /** Number of statements sent in parallel. */
  concurrency: number
  /** Whether a refused documented statement counts as a difference. Default: true */
  refusalsDiffer?: boolean
  /** Maximum number of statements sent to shrink one. Default: 200 */
  tries?: number
}

/** A difference between the target and the expected rows, with the smallest statement that shows it. */
export interface FuzzFinding extends Disagreement {
  query: Query
  /** Set if the target refuses the statement. */
  isRefused?: true
  /** Undefined for undocumented SQL. */
  kind: DocumentedKind | undefined
  /** The generated statement. */
  original: string
  /** Number of generated statements that differ and use all features of the smallest one. */
  count: number
}

export interface FuzzResult {
  findings: FuzzFinding[]
  /** Number of statements by kind and result. */
  tally: Record<DocumentedKind | 'undocumented', Record<Comparison['is'], number>>
  /** Number of statements that differ and were not shrunk, because there were too many. */
  unexplained: number
  /** Why the first unclear comparison was unclear. */
  unclear?: string
}

/** Maximum number of shrunk findings. A vendor fixes the first ones first. */
const MOST_FINDINGS = 20

/**
 * Sends queries to the target and compares its rows with the expected ones. Shrinks every statement that differs, unless it has all features of an
 * earlier finding.
 */
export async function fuzz(both: SideBySide, options: FuzzOptions): Promise<FuzzResult> {
  const { queries, concurrency } = options
  const comparisons = await compareAll(both, queries, concurrency)
  const result: FuzzResult = { findings: [], tally: emptyTally(), unexplained: 0 }
  for (const [index, verdict] of comparisons.entries()) {
    const query = queries[index]!
    result.tally[documentedKind(query) ?? 'undocumented'][verdict.is]++
    if (verdict.is === 'unclear' || verdict.is === 'unserved') result.unclear ??= verdict.why
    const disagreement = disagreementOf(query, verdict, options)
    if (!disagreement) continue
    const known = result.findings.find((finding) => explains(finding, query))
    if (known) known.count++
    else if (result.findings.length >= MOST_FINDINGS) result.unexplained++
    else result.findings.push(await smallest(both, query, disagreement, options))
  }
  const steady: FuzzFinding[] = []
  for (const finding of merged(result.findings)) {
    const { query, kind, count, isRefused } = finding
    if (isRefused || (await both.differsAlways(questionOf(query)))) steady.push(finding)
    else {
      result.tally[kind ?? 'undocumented'].unclear += count
      result.unclear ??= 'a statement differs only sometimes'
    }
  }
  result.findings = steady
  return result
}

async function compareAll(both: SideBySide, queries: readonly Query[], width: number): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  const queue = queries.entries()
  const worker = async () => {
    for (const [index, query] of queue) comparisons[index] = await both.compare(questionOf(query))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return comparisons
}

/** A target may refuse only undocumented statements. */
function disagreementOf(
  query: Query,
  result: Comparison,
  { refusalsDiffer = true }: FuzzOptions,
): (Disagreement & { isRefused?: true }) | undefined {
  if (result.is === 'differs') return result
  if (!refusalsDiffer || result.is !== 'refused' || documentedKind(query) === undefined) return undefined
  const actual = echoed(result.reply.message) || `HTTP ${result.reply.status}`
  return {
    isRefused: true,
    difference: { message: 'it is refused', expected: 'state "success"', actual },
    exchanges: [result.reply.exchange],
  }
}

/**
 * Whether a query has all features that cause a finding. An undocumented finding never explains a documented statement:
 * that would hide a failure.
 */
function explains(finding: FuzzFinding, query: Query): boolean {
  if (finding.kind === undefined && documentedKind(query) !== undefined) return false
  const used = features(query)
  return [...causeOf(finding.query)].every((feature) => used.has(feature))
}

/** Merges findings into simpler ones that explain them. The first finding need not be the simplest. */
function merged(findings: readonly FuzzFinding[]): FuzzFinding[] {
  const size = ({ kind, query }: FuzzFinding) => causeOf(query).size + (kind === undefined ? 0.5 : 0)
  const kept: FuzzFinding[] = []
  for (const finding of findings.toSorted((a, b) => size(a) - size(b))) {
    const simpler = kept.find((other) => explains(other, finding.query))
    if (simpler) simpler.count += finding.count
    else kept.push(finding)
  }
  return kept
}

async function smallest(
  both: SideBySide,
  query: Query,
  disagreement: Disagreement,
  options: FuzzOptions,
): Promise<FuzzFinding> {
  const shows = async (candidate: Query) =>
    readsPoints(candidate)
      ? undefined
      : disagreementOf(candidate, await both.compare(questionOf(candidate), false), options)
  const shrunk = await shrink(query, disagreement, shows, options.tries)
  const proven = disagreementOf(shrunk.query, await both.compare(questionOf(shrunk.query)), options)
  const found = proven ? { ...proven, query: shrunk.query } : { ...disagreement, query }
  return {
    ...found,
    kind: documentedKind(found.query),
    original: render(query),
    count: 1,
  }
}

/** Whether a query reads all points, which is expensive. */
const readsPoints = (query: Query): boolean =>
  query.from.view === 'v_timeseries_data' && query.where === undefined && !isGrouped(query)

const none = () => ({ same: 0, differs: 0, refused: 0, unclear: 0, unserved: 0 })

const emptyTally = (): FuzzResult['tally'] => ({
  select: none(),
  limit: none(),
  'delta-by-date': none(),
  'delta-by-newest': none(),
  join: none(),
  undocumented: none(),
})

import { documentedKind, features, type DocumentedKind } from './statements/classify.ts'
import { shrink, stepsOfQuery } from './statements/shrink.ts'
import { questionOf, type Disagreement, type Comparison, type SideBySide } from './side-by-side.ts'
import { render } from './statements/render.ts'
import type { Query } from './statements/syntax.ts'
import { interruptionBy, unansweredForms, type Interruption, type Unanswered } from './unanswered.ts'
import { inParallel } from '../connection/in-parallel.ts'
import { echoed } from '../connection/redaction/secrets.ts'
import { TransportError } from '../connection/http/transport-error.ts'

export interface FuzzOptions {
  queries: readonly Query[]
  /** Number of statements sent in parallel. */
  concurrency: number
  /** Whether a refused documented statement counts as a difference. Default: true */
  refusalsDiffer?: boolean
  /** Maximum number of statements sent to shrink all that differ. Default: 200 for each */
  tries?: number
}

/** A difference between the target and the expected rows, with the smallest statement that shows it. */
export interface FuzzFinding extends Disagreement {
  query: Query
  /** Set if the target refuses the statement. */
  isRefused?: true
  kind: DocumentedKind
  /** The generated statement. */
  original: string
  /** Number of generated statements that differ and use all features of the smallest one, or have no finding of their own. */
  count: number
}

export interface FuzzResult {
  findings: FuzzFinding[]
  /** Number of statements by kind and result; `left` counts those that were not compared. */
  tally: Record<DocumentedKind, Record<Comparison['is'] | 'left', number>>
  /** The documented forms without an answer, unless they are findings. */
  unanswered: Unanswered[]
  /** Why the first unclear comparison was unclear. */
  unclear?: string
  /** Why the first statement that was not served was not. */
  unserved?: string
  /** Why statements are left. */
  interruption?: Interruption
}

/** Maximum number of shrunk findings of one kind. A vendor fixes the first ones first. */
const MOST_SHRUNK = 2

/**
 * Sends queries to the target and compares its rows with the expected ones. Shrinks every statement that differs, unless it has all features of an
 * earlier finding, or is of a kind with enough of them. A statement without an answer ends the search; what was compared before it counts.
 */
export async function fuzz(both: SideBySide, options: FuzzOptions): Promise<FuzzResult> {
  const { queries, concurrency } = options
  const { comparisons, interruption } = await compareAll(both, queries, concurrency)
  const result: FuzzResult = { findings: [], tally: emptyTally(), unanswered: [] }
  if (interruption) result.interruption = interruption
  let mayShrink = true
  /** The findings by the kind of the generated statement. */
  const shrunkOf = new Map<DocumentedKind, FuzzFinding[]>()
  let { tries } = options
  const onTry = () => tries !== undefined && tries--
  for (const [index, query] of queries.entries()) {
    const verdict = comparisons[index]
    result.tally[documentedKind(query)][verdict?.is ?? 'left']++
    if (!verdict) continue
    if (verdict.is === 'unclear' || verdict.is === 'unserved') result[verdict.is] ??= verdict.why
    const disagreement = disagreementOf(verdict, options)
    if (!disagreement) continue
    const ofKind = shrunkOf.get(documentedKind(query)) ?? []
    const enough = ofKind.length >= MOST_SHRUNK ? ofKind.at(-1) : undefined
    const known = result.findings.find((finding) => explains(finding, query)) ?? enough
    if (known) known.count++
    else {
      const shrunk: FuzzFinding | undefined = mayShrink
        ? await smallest(
            both,
            query,
            disagreement,
            { ...options, ...(tries !== undefined && { tries }) },
            onTry,
          )
        : undefined
      mayShrink = shrunk !== undefined
      const finding = shrunk ?? findingOf(query, query, disagreement)
      shrunkOf.set(documentedKind(query), [...ofKind, finding])
      result.findings.push(finding)
    }
  }
  const steady: FuzzFinding[] = []
  for (const finding of merged(result.findings)) {
    const { query, kind, count, isRefused } = finding
    const isKnown = steady.some((one) => one.kind === kind)
    if (isRefused || isKnown || (await differsAlways(both, query))) steady.push(finding)
    else {
      result.tally[kind].unclear += count
      result.unclear ??= 'a statement differs only sometimes'
    }
  }
  result.findings = steady
  const { refusalsDiffer = true } = options
  // A refusal that differs is a finding already.
  const open = comparisons.map((one) => (refusalsDiffer && one?.is === 'refused' ? undefined : one))
  const unanswered = await unansweredForms(both, queries, open)
  for (const { query, kind, count, proof } of unanswered)
    if (proof) steady.push({ ...proof, query, kind, count, original: render(query), isRefused: true })
  result.unanswered = unanswered.filter(({ proof }) => !proof)
  return result
}

/** The comparisons by the index of their query, up to an interruption. */
async function compareAll(
  both: SideBySide,
  queries: readonly Query[],
  width: number,
): Promise<{ comparisons: readonly (Comparison | undefined)[]; interruption?: Interruption }> {
  const comparisons: Comparison[] = []
  let interruption: Interruption | undefined
  const compare = async (query: Query, index: number) => {
    try {
      comparisons[index] = await compareOrRepeat(both, query)
    } catch (error) {
      interruption ??= interruptionBy(error, render(query))
      throw error
    }
  }
  await inParallel(queries, width, compare).catch((error: unknown) => {
    if (!interruption) throw error
  })
  return { comparisons, ...(interruption && { interruption }) }
}

/** Compares a second time if the connection was closed, because a single lost reply must not end the search. */
async function compareOrRepeat(both: SideBySide, query: Query): Promise<Comparison> {
  try {
    return await both.compare(questionOf(query))
  } catch (error) {
    if (!(error instanceof TransportError) || error.exhausting) throw error
    return both.compare(questionOf(query))
  }
}

/** Whether a difference shows each time. It was seen twice before, so it also counts if it cannot be repeated any more. */
async function differsAlways(both: SideBySide, query: Query): Promise<boolean> {
  try {
    return await both.differsAlways(questionOf(query))
  } catch (error) {
    return interruptionBy(error, render(query)) !== undefined
  }
}

function disagreementOf(
  result: Comparison,
  { refusalsDiffer = true }: FuzzOptions,
): (Disagreement & { isRefused?: true }) | undefined {
  if (result.is === 'differs') return result
  if (!refusalsDiffer || result.is !== 'refused') return undefined
  const actual = echoed(result.reply.message) || `HTTP ${result.reply.status}`
  return {
    isRefused: true,
    difference: { message: 'it is refused', expected: 'state "success"', actual },
    exchanges: [result.reply.exchange],
  }
}

/** Whether a query has all features that cause a finding. */
function explains(finding: FuzzFinding, query: Query): boolean {
  const used = features(query)
  return [...features(finding.query)].every((feature) => used.has(feature))
}

/** Merges findings into simpler ones that explain them. The first finding need not be the simplest. */
function merged(findings: readonly FuzzFinding[]): FuzzFinding[] {
  const size = ({ query }: FuzzFinding) => features(query).size
  const kept: FuzzFinding[] = []
  for (const finding of findings.toSorted((a, b) => size(a) - size(b))) {
    const simpler = kept.find((other) => explains(other, finding.query))
    if (simpler) simpler.count += finding.count
    else kept.push(finding)
  }
  return kept
}

const findingOf = (
  query: Query,
  original: Query,
  found: Disagreement & { isRefused?: true },
): FuzzFinding => ({ ...found, query, kind: documentedKind(query), original: render(original), count: 1 })

/** The finding with the smallest statement that shows it; undefined if a statement gets no answer. */
async function smallest(
  both: SideBySide,
  query: Query,
  disagreement: Disagreement,
  options: FuzzOptions,
  onTry: () => void,
): Promise<FuzzFinding | undefined> {
  const shows = async (candidate: Query) => {
    onTry()
    return disagreementOf(await both.compare(questionOf(candidate), false), options)
  }
  try {
    const shrunk = await shrink(stepsOfQuery, query, disagreement, shows, options.tries)
    if (shrunk.subject === query) return findingOf(query, query, disagreement)
    const proven = disagreementOf(await both.compare(questionOf(shrunk.subject)), options)
    return proven ? findingOf(shrunk.subject, query, proven) : findingOf(query, query, disagreement)
  } catch (error) {
    interruptionBy(error, render(query))
    return undefined
  }
}

const none = () => ({ same: 0, differs: 0, refused: 0, unclear: 0, unserved: 0, left: 0 })

const emptyTally = (): FuzzResult['tally'] => ({
  select: none(),
  limit: none(),
  'delta-by-date': none(),
  'delta-by-newest': none(),
  join: none(),
})

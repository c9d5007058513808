import { check, compared, notExercised, type Check } from '../checks/check.ts'
import type { Target } from '../connection/target.ts'
import { documentedKind, documentedKinds, type DocumentedKind } from '../search/statements/classify.ts'
import { documentedQueries } from './documented.ts'
import { fuzz, type FuzzResult } from '../search/fuzz.ts'
import { generateDocumented } from '../search/statements/generate-documented.ts'
import { requireLoaded, whyNotLoaded } from './loaded.ts'
import { ReferenceClient, type ReferenceServer, type WithReference } from './reference.ts'
import { comparePoints } from './points.ts'
import { readable } from '../search/statements/generator-context.ts'
import { randomOf } from '../connection/values/random.ts'
import { reportKind } from '../checks/findings/report-kind.ts'
import { SideBySide } from '../search/side-by-side.ts'
import { readValues } from './values.ts'
import type { Values } from '../search/statements/values.ts'

export interface SeededOptions {
  reference: ReferenceServer
  /** Number of generated statements. */
  fuzz: number
  /** Number of statements sent in parallel. */
  concurrency: number
  /** Longest wait for the reference server, in milliseconds. */
  timeoutMs: number
  /** Aborts when the run ends. */
  signal: AbortSignal
}

const kinds = Object.keys(documentedKinds) as DocumentedKind[]

/** The title for each kind of statement. */
const titles: Record<DocumentedKind, string> = {
  select: 'return the rows of the plant for a SELECT of columns',
  limit: 'return n rows of the plant for LIMIT n',
  'delta-by-date': 'return the rows of the plant that changed after a date',
  'delta-by-newest': 'return the rows of the plant that changed after the newest row of a view',
  join: 'return the same joined rows as the reference',
}

/** Mutants that return wrong rows. */
const killedBy: Record<DocumentedKind, string[]> = {
  select: ['named-columns-swapped'],
  limit: ['limit-plus-one', 'limit-off-when-large', 'limit-repeats-first-row'],
  'delta-by-date': ['delta-literal-ignored', 'delta-literal-lt', 'delta-literal-empty', 'delta-loses-row'],
  'delta-by-newest': ['delta-gte', 'delta-subquery-lt', 'delta-subquery-min'],
  join: ['join-inner', 'join-wrong-key', 'join-loses-row'],
}

/** Checks of a target that has loaded the plant: it must return the same rows as the reference. */
export function seededChecks(options: SeededOptions): Check[] {
  const { seed, scale } = options.reference
  const plant = `--seeded --seed ${seed} --scale ${scale}`
  const reference = new ReferenceClient(options.reference, options.timeoutMs, options.signal)
  const sideBySide = (t: Target) => new SideBySide(t, reference)
  return [
    check({
      id: 'seeded.loaded',
      requirement: 'REQ-SQL-11',
      title: 'contain exactly the rows of the plant',
      killedBy: [],
      run: async (t) => {
        const why = await whyNotLoaded(sideBySide(t))
        return why === undefined ? compared(3, 'view', 'same ids as the plant') : notExercised(why)
      },
    }),
    ...kinds.map((kind) =>
      check({
        id: `seeded.${kind}`,
        requirement: documentedKinds[kind],
        title: titles[kind],
        killedBy: killedBy[kind],
        run: async (t) => reportKind(await documented(sideBySide(t), kind), kind, 'the reference', plant),
      }),
    ),
    check({
      id: 'seeded.points',
      requirement: 'REQ-SQL-2',
      title: 'return the same points as the reference',
      killedBy: [],
      run: async (t) => {
        const both = sideBySide(t)
        await requireLoaded(both)
        return comparePoints(both, await values(both))
      },
    }),
    ...(options.fuzz > 0 ? kinds : []).map((kind) =>
      check({
        id: `seeded.fuzz:${kind}`,
        requirement: documentedKinds[kind],
        title: `${titles[kind]} (generated statements)`,
        killedBy: killedBy[kind],
        phase: 'exclusive',
        run: async (t) =>
          reportKind(
            await generated(sideBySide(t), options),
            kind,
            'the reference',
            `${plant} --fuzz ${options.fuzz}`,
          ),
      }),
    ),
  ]
}

const values = (both: WithReference): Promise<Values> =>
  both.target.once('seeded values', async () => readValues(both.source, await both.target.dateSpelling()))

async function documented(both: WithReference, kind: DocumentedKind): Promise<FuzzResult> {
  await requireLoaded(both)
  const known = await values(both)
  const queries = documentedQueries(known).filter((query) => documentedKind(query) === kind)
  return fuzz(both, { queries, concurrency: 1 })
}

/** Sends the generated statements once. Each kind has its own check. */
const generated = (
  both: WithReference,
  { fuzz: count, concurrency, reference }: SeededOptions,
): Promise<FuzzResult> =>
  both.target.once('seeded fuzz', async () => {
    await requireLoaded(both)
    const known = await values(both)
    const context = { random: randomOf(reference.seed), values: known, views: readable }
    return fuzz(both, {
      queries: Array.from({ length: count }, () => generateDocumented(context)),
      concurrency,
    })
  })

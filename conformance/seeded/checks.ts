import { check, compared, notExercised, type Check } from '../checks/check.ts'
import type { Target } from '../connection/target.ts'
import { documentedKind, documentedKinds, type DocumentedKind } from './classify.ts'
import { corpus } from './corpus/index.ts'
import { compareCorpus } from './compare-corpus.ts'
import { documentedQueries } from './documented.ts'
import { fuzz, type FuzzResult } from './fuzz.ts'
import { generate } from './generate.ts'
import { requireLoaded, whyNotLoaded } from './loaded.ts'
import { ReferenceClient, type ReferenceServer } from './reference.ts'
import { comparePoints } from './points.ts'
import { randomOf } from './random.ts'
import { reportKind } from './report.ts'
import { SideBySide } from './side-by-side.ts'
import { readValues, type Values } from './values.ts'

export interface SeededOptions {
  reference: ReferenceServer
  /** Number of generated statements. */
  fuzz: number
  /** Statements at once. */
  concurrency: number
  /** Longest wait for the reference server, in milliseconds. */
  timeoutMs: number
}

const kinds = Object.keys(documentedKinds) as DocumentedKind[]

/** What a target has to do for each kind of statement. */
const titles: Record<DocumentedKind, string> = {
  select: 'answer a SELECT of columns with the rows of the plant',
  limit: 'return n rows of the plant for LIMIT n',
  'delta-by-date': 'return the rows of the plant that changed after a date',
  'delta-by-newest': 'return the rows of the plant that changed after the newest row of a view',
  join: 'join the rows of the plant as the reference does',
}

/** Mutants that only a wrong row can show. */
const killedBy: Record<DocumentedKind, string[]> = {
  select: ['named-columns-swapped'],
  limit: ['limit-plus-one', 'limit-off-when-large', 'limit-repeats-first-row'],
  'delta-by-date': ['delta-literal-ignored', 'delta-literal-lt', 'delta-literal-empty', 'delta-loses-row'],
  'delta-by-newest': ['delta-gte', 'delta-subquery-lt', 'delta-subquery-min'],
  join: ['join-inner', 'join-wrong-key', 'join-loses-row'],
}

/** Checks of a target that has loaded the plant: every answer has to be that of the reference server, row for row. */
export function seededChecks(options: SeededOptions): Check[] {
  const { seed, scale } = options.reference
  const plant = `--seeded --seed ${seed} --scale ${scale}`
  const reference = new ReferenceClient(options.reference, options.timeoutMs)
  const beside = (t: Target) => new SideBySide(t, reference)
  return [
    check({
      id: 'seeded.loaded',
      requirement: 'REQ-SQL-11',
      title: 'hold the rows of the plant that its answers are compared with',
      killedBy: [],
      run: async (t) => {
        const why = await whyNotLoaded(beside(t))
        return why === undefined ? compared(3, 'view', 'the ids of the plant') : notExercised(why)
      },
    }),
    ...kinds.map((kind) =>
      check({
        id: `seeded.${kind}`,
        requirement: documentedKinds[kind],
        title: titles[kind],
        killedBy: killedBy[kind],
        run: async (t) => reportKind(await documented(beside(t), kind), kind, plant),
      }),
    ),
    check({
      id: 'seeded.points',
      requirement: 'REQ-SQL-2',
      title: 'serve points as the plant has them',
      killedBy: [],
      run: async (t) => {
        const both = beside(t)
        await requireLoaded(both)
        return comparePoints(both, await values(both))
      },
    }),
    ...corpus.map(({ topic, title, statements }) =>
      check({
        id: `seeded.corpus:${topic}`,
        requirement: 'REQ-SQL-11',
        title: `answer ${title} as the reference does`,
        killedBy: [],
        run: async (t) => {
          const both = beside(t)
          await requireLoaded(both)
          return compareCorpus(both, statements)
        },
      }),
    ),
    ...(options.fuzz > 0 ? [...kinds, undefined] : []).map((kind) =>
      check({
        id: `seeded.fuzz:${kind ?? 'undocumented'}`,
        requirement: kind ? documentedKinds[kind] : 'REQ-SQL-11',
        title: kind
          ? `${titles[kind]}, for generated statements`
          : 'answer generated statements of other kinds as the reference does',
        killedBy: kind ? killedBy[kind] : [],
        phase: 'exclusive',
        run: async (t) =>
          reportKind(await generated(beside(t), options), kind, `${plant} --fuzz ${options.fuzz}`),
      }),
    ),
  ]
}

const values = (both: SideBySide): Promise<Values> =>
  both.target.once('seeded values', async () => readValues(both.reference, await both.target.dateSpelling()))

async function documented(both: SideBySide, kind: DocumentedKind): Promise<FuzzResult> {
  await requireLoaded(both)
  const known = await values(both)
  const queries = documentedQueries(known).filter((query) => documentedKind(query) === kind)
  return fuzz(both, { queries, concurrency: 1 })
}

/** The statements are sent once; each kind has a check that looks at its own. */
const generated = (
  both: SideBySide,
  { fuzz: count, concurrency, reference }: SeededOptions,
): Promise<FuzzResult> =>
  both.target.once('seeded fuzz', async () => {
    await requireLoaded(both)
    const known = await values(both)
    const context = { random: randomOf(reference.seed), values: known }
    return fuzz(both, { queries: Array.from({ length: count }, () => generate(context)), concurrency })
  })

import { type AskOptions } from '../harness/client.ts'
import { smallStatement } from '../harness/load.ts'

/** A statement of the soak and its permitted statuses. */
export interface Mixed extends Pick<AskOptions, 'rawBody'> {
  readonly statement: string
  readonly statuses: readonly number[]
}

/** The statements of each tenth of the soak and their counts. `n` differs for each statement. */
const mix: readonly (readonly [times: number, of: (n: number) => string])[] = [
  [500, smallStatement],
  [
    150,
    (n) =>
      `SELECT id, name, status FROM v_bioprocesses WHERE last_updated_at > '2025-01-01' OFFSET ${n % 40}`,
  ],
  [
    80,
    (n) =>
      `SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id LIMIT ${1 + (n % 20)}`,
  ],
  [
    60,
    (n) =>
      `SELECT id, count(*), max(value) FROM v_timeseries_data GROUP BY id ORDER BY id LIMIT ${1 + (n % 9)}`,
  ],
  [10, (n) => `SELECT * FROM v_timeseries_data LIMIT ${20_000 + n}`],
  // client mistakes
  [60, (n) => `SELEC ${n}`],
  [40, (n) => `SELECT * FROM v_nothing_${n}`],
  [20, (n) => `SELECT ${n} / 0`],
  // hostile
  [10, (n) => `DELETE FROM v_experiments WHERE id = '${n}'`],
  [10, (n) => `SELECT set_config('role', 'postgres', true), ${n}`],
  [10, (n) => `SELECT pg_read_file('/etc/passwd', ${n}, 10)`],
  [10, (n) => `SELECT ${n}; DROP SCHEMA plant CASCADE`],
  [10, (n) => `COPY (SELECT ${n}) TO PROGRAM 'cat'`],
  [5, (n) => `SELECT ${'('.repeat(3000)}${n}${')'.repeat(3000)}`],
  [5, (n) => `SELECT ${n}${' + 1'.repeat(5000)}`],
  [3, (n) => `SELECT '\\u0000', ${n}, 'a\0b'`],
  [2, (n) => `SELECT repeat('x', 20000000), ${n}`],
]

const brokenBodies = ['', '{', '{"statement":', '[1]', '{"statement":1}']

/** One tenth of the soak. All tenths differ only in numbers and have the same order. */
export function mixedTenth(tenth: number): Mixed[] {
  const statements = mix.flatMap(([times, of]) =>
    Array.from({ length: times }, (_, index): Mixed => ({
      statement: of(tenth * 1000 + index),
      statuses: [200],
    })),
  )
  const bodies = Array.from({ length: 15 }, (_, index): Mixed => ({
    statement: '',
    rawBody: brokenBodies[index % brokenBodies.length]!,
    statuses: [200, 400],
  }))
  return shuffled([...statements, ...bodies])
}

/** A fixed permutation: steps through the list by a stride coprime to its length. */
function shuffled<T>(list: readonly T[]): T[] {
  const stride = 389
  return list.map((_, index) => list[(index * stride) % list.length]!)
}

import { beforeAll } from 'vitest'

/** Some cases that ran, of all that exist. */
export interface Sample {
  /** The cases in the plural: "variants". */
  readonly of: string
  readonly ran: number
  readonly exist: number
}

declare module 'vitest' {
  interface TaskMeta {
    /** What a file sampled. The closing lines of the run name it. */
    samples?: Sample[]
  }
}

/** Whether this is the release tier, which runs every case: `npm run test:release`. */
export const everyCase = process.env['EVERY_CASE'] === '1'

/** Cases that only the release tier runs. Call it where tests are collected, not in a test. */
export function releaseOnly<T>(of: string, cases: readonly T[]): readonly T[] {
  const some = everyCase ? cases : []
  noteSample({ of, ran: some.length, exist: cases.length })
  return some
}

/** Notes a sample for the closing lines, unless it is whole. */
export function noteSample(sample: Sample): void {
  if (sample.ran < sample.exist)
    // vitest reads the names of fixtures from the first parameter
    // oxlint-disable-next-line no-empty-pattern
    beforeAll(({}, { file }) => {
      file.meta.samples = [...(file.meta.samples ?? []), sample]
    })
}

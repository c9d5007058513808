/** Whether the slow tier runs every case, which takes hours: before a release, not for each commit. */
export const everyCase = process.env['EVERY_CASE'] === '1'

/** Every nth of many similar cases, of which each takes seconds. With `EVERY_CASE=1`, all of them. */
export const oneIn = <T>(n: number, cases: readonly T[]): readonly T[] =>
  everyCase ? cases : cases.filter((_, index) => index % n === 0)

/** Whether the slow tier runs every case. That takes too long for each commit; do it before a release. */
export const everyCase = process.env['EVERY_CASE'] === '1'

/** Every nth case, starting with the first; with `EVERY_CASE=1`, all of them. For many similar cases that take seconds each. */
export const oneIn = <T>(n: number, cases: readonly T[]): readonly T[] =>
  everyCase ? cases : cases.filter((_, index) => index % n === 0)

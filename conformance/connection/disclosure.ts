import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'

/** How much of the target's rows a report may hold: `hashed` none, `full` values and answers. */
export type Disclosure = 'hashed' | 'full'

/** Salt of a run, where row values are to be hidden. A salt of its own keeps anybody from guessing them back. */
const salts = new AsyncLocalStorage<string>()

/** Runs `work`; with `hashed` everything that it shows of row values is hidden. */
export const disclosing = <T>(disclosure: Disclosure, work: () => Promise<T>): Promise<T> =>
  disclosure === 'full' ? work() : salts.run(randomBytes(16).toString('hex'), work)

/**
 * The text of a row value as a report may show it: its shape, letters as `x` and digits as `0`, and a tag that is
 * the same for the same value in the same run. `"2026-01-31T08:00Z"` -> `"0000-00-00T00:00Z"`.
 */
export const concealed = (text: string): string =>
  salts.getStore() === undefined ? text : text.replaceAll(/(?<=\d)[TZ]|\p{L}|\p{N}/gu, shapeOf)

/** The tag of a concealed value: the same for the same value in the same run. */
export const tagOf = (text: string): string =>
  createHash('sha256')
    .update(salts.getStore() + text)
    .digest('hex')
    .slice(0, 6)

function shapeOf(character: string, at: number, text: string): string {
  if (/\p{N}/u.test(character)) return '0'
  if (/[TZ]/.test(character) && /\d/.test(text.charAt(at - 1))) return character
  return /\p{Lu}/u.test(character) ? 'X' : 'x'
}

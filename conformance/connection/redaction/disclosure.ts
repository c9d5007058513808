import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'
import { LONGEST } from './excerpt.ts'

/** Whether reports conceal row values (`hashed`) or show them and the replies (`full`). */
export type Disclosure = 'hashed' | 'full'

/** The salt of a run with concealed values. A salt for each run prevents guessing a value from its tag. */
const salts = new AsyncLocalStorage<string>()

/** Runs `work`; with `hashed`, {@link concealed} conceals row values in it. */
export const disclosing = <T>(disclosure: Disclosure, work: () => Promise<T>): Promise<T> =>
  disclosure === 'full' ? work() : salts.run(randomBytes(16).toString('hex'), work)

/**
 * Conceals the text of a row value, if the run conceals values: letters become `x` and digits `0`.
 * `"2026-01-31T08:00Z"` -> `"0000-00-00T00:00Z"`. Only the start of a long text: each letter takes memory.
 */
export const concealed = (text: string): string =>
  salts.getStore() === undefined
    ? text
    : text.slice(0, LONGEST).replaceAll(/(?<=\d)[TZ]|\p{L}|\p{N}/gu, shapeOf)

/** The tag of a concealed value. Equal values have equal tags in one run. */
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

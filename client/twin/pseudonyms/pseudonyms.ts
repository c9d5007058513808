import { createHmac } from 'node:crypto'

/** Replaces texts by others. Equal texts get equal pseudonyms, so that relations hold. */
export interface Pseudonyms {
  /** The pseudonym of an id, a name or a note. An empty text stays empty. */
  of(text: string): string
}

/** Hexadecimal digits of a pseudonym: two of a million texts share one with a probability of 10^-8. */
const DIGITS = 16
/** Fills a replaced note up to its length, so that a page shows as much text. */
const FILLER =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore '

/**
 * Pseudonyms from HMAC-SHA-256: they depend on the text and the key only, not on the view, the column or the order. A UUID
 * becomes another UUID, 24 hexadecimal digits become others, and a text with white space keeps its length, if it is long.
 *
 * @param key secret: with it, anyone can test whether a pseudonym stands for a text
 */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const of = (text: string): string => {
    if (text === '') return ''
    const hex = createHmac('sha256', key).update(text).digest('hex')
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return uuid(hex)
    if (/^[0-9a-f]{24}$/i.test(text)) return hex.slice(0, 24)
    const name = hex.slice(0, DIGITS)
    if (!/\s/.test(text)) return `p-${name}`
    const rest = Math.max(0, text.length - DIGITS - 3)
    const filler = FILLER.repeat(Math.ceil(rest / FILLER.length)).slice(0, rest)
    return `p-${name} ${filler}`.trimEnd()
  }
  return { of }
}

/** A UUID of version 8: its digits have no documented meaning. */
const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

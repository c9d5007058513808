import { LosslessNumber } from 'lossless-json'
import { setMember, type Json, type JsonObject } from './json.ts'

/** Deeper nesting is rejected: it could overflow the stack, and no documented value is nested that deep. */
const DEEPEST = 500

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Words that encoders of other languages write, which are no JSON. */
const NOT_JSON = /^-?(NaN|nan|Infinity|inf|None|True|False|undefined)\b/
const SPACE = /[ \t\r\n]*/y
const WORDS = new Map([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
] as const)

/**
 * Parses JSON without losing digits. The last of repeated keys wins, as in `JSON.parse`. Strings are parts of the text and
 * take no memory of their own: the parser of lossless-json needs 30 bytes for each character.
 *
 * @throws SyntaxError when the text is not JSON
 * @throws RangeError when it is nested deeper than {@link DEEPEST}
 */
export function parseJson(text: string): Json {
  let at = 0
  const whole = value(0)
  if (at < text.length) throw unexpected()
  return whole

  /** Reads a value and the space around it. */
  function value(depth: number): Json {
    skipSpace()
    const read = valueHere(depth)
    skipSpace()
    return read
  }

  function valueHere(depth: number): Json {
    const first = text[at]
    if (first === '"') return string()
    if (first === '{' || first === '[') {
      if (depth === DEEPEST) throw new RangeError(`The JSON is nested deeper than ${DEEPEST} levels.`)
      return first === '{' ? object(depth + 1) : array(depth + 1)
    }
    const [word, meaning] = WORDS.get(first as 't') ?? []
    if (word === undefined) return number()
    if (!text.startsWith(word, at)) throw unexpected()
    at += word.length
    return meaning!
  }

  function object(depth: number): JsonObject {
    const members: JsonObject = {}
    at++
    skipSpace()
    if (took('}')) return members
    do {
      skipSpace()
      if (text[at] !== '"') throw unexpected()
      const key = string()
      skipSpace()
      if (!took(':')) throw unexpected()
      setMember(members, key, value(depth))
    } while (took(','))
    if (!took('}')) throw unexpected()
    return members
  }

  function array(depth: number): Json[] {
    const items: Json[] = []
    at++
    skipSpace()
    if (took(']')) return items
    do items.push(value(depth))
    while (took(','))
    if (!took(']')) throw unexpected()
    // An array that grew has room for 17 items; a row of few values needs less.
    return items.length < 17 ? items.slice() : items
  }

  function string(): string {
    const start = at++
    let isEscaped = false
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      // Also at the end of the text, where the code is NaN.
      if (!(code >= 0x20)) throw unexpected()
      if (code === BACKSLASH) {
        isEscaped = true
        at++
      }
    }
    at++
    return isEscaped ? (JSON.parse(text.slice(start, at)) as string) : text.slice(start + 1, at - 1)
  }

  function number(): LosslessNumber {
    const digits = matched(NUMBER)
    if (digits === '') throw unexpected()
    return new LosslessNumber(digits)
  }

  function took(character: string): boolean {
    if (text[at] !== character) return false
    at++
    return true
  }

  function skipSpace(): void {
    const code = text.charCodeAt(at)
    if (code <= 0x20) matched(SPACE)
  }

  /** Takes what matches here; an empty text if nothing does. */
  function matched(pattern: RegExp): string {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }

  function unexpected(): SyntaxError {
    const [word] = NOT_JSON.exec(text.slice(at, at + 12)) ?? []
    const found = at < text.length ? (word ?? JSON.stringify(text[at])) : 'end'
    return new SyntaxError(`Unexpected ${found} at position ${at} of the JSON.`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Most values of one JSON body: 100,000 rows of a view have fewer. */
const MOST_VALUES = 2_000_000
/** An object with more members than a row has stores its keys, so that each member counts as several values. */
const LARGE_OBJECT = { members: 100, values: 5 }
/** Maximum size of one body, in MiB. */
const MOST_MIB = 64
const MIB = 1024 * 1024

/** Memory that a parsed value takes, in bytes: measured for rows, short numbers and empty objects. */
const BYTES_PER_VALUE = 64

/** Bytes of a reply that are free of the budget of a run: a few hundred rows; more if the reply is soon forgotten. */
const FREE_BYTES = { kept: 256 * 1024, forgotten: 8 * MIB }
/** Values that are free: they are parsed again when they are used again. */
const FREE_VALUES = 250_000

/** A body that exceeds a limit. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

/** Measures a body while it arrives, before anything reads it. */
export class Size {
  readonly #freeBytes: number
  bytes = 0
  #values = 0
  /** The number of commas in each open object; minus infinity for an array. */
  readonly #open: number[] = []
  #isQuoted = false
  #isEscaped = false

  constructor(isForgotten = false) {
    this.#freeBytes = isForgotten ? FREE_BYTES.forgotten : FREE_BYTES.kept
  }

  /** @throws TooLarge when the body exceeds a limit */
  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength
    if (this.bytes > MOST_MIB * MIB) throw new TooLarge(`is larger than ${MOST_MIB} MiB`)
    this.#count(chunk)
    if (this.#values > MOST_VALUES)
      throw new TooLarge(`has more than ${MOST_VALUES.toLocaleString('en')} values`)
  }

  /** Memory that the text and its values take, in bytes. */
  get memory(): number {
    return this.bytes + this.#values * BYTES_PER_VALUE
  }

  /** Memory beyond what is free, in bytes. */
  get excess(): number {
    const values = Math.max(0, this.#values - FREE_VALUES)
    return Math.max(0, this.bytes - this.#freeBytes) + values * BYTES_PER_VALUE
  }

  /** Counts the values of JSON by its commas and opening brackets outside of strings. */
  #count(chunk: Uint8Array): void {
    const open = this.#open
    let [values, isQuoted, isEscaped] = [this.#values, this.#isQuoted, this.#isEscaped]
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isQuoted = !isQuoted
      else if (isQuoted) isEscaped = byte === BACKSLASH
      else if (byte === COMMA) {
        const isLarge = ++open[open.length - 1]! > LARGE_OBJECT.members
        values += isLarge ? LARGE_OBJECT.values : 1
      } else if (byte === BRACE || byte === BRACKET) {
        values++
        open.push(byte === BRACE ? 0 : -Infinity)
      } else if (byte === BRACE + 2 || byte === BRACKET + 2) open.pop()
    }
    this.#values = values
    this.#isQuoted = isQuoted
    this.#isEscaped = isEscaped
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACE = 0x7b

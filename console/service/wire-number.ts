/** What browsers since 2025 know and the types of ECMAScript 2023 lack. */
interface Source {
  /** The text of a number; undefined in an older browser, which keeps its JavaScript numbers. */
  readonly source?: string
}
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => unknown }

/** A number of an answer that JavaScript writes in another way, such as 1.10 or 9007199254740993: it keeps its text. */
class WireNumber {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
  toJSON(): unknown {
    return rawJSON!(this.#text)
  }
}

/** Parses JSON. Numbers keep their text: in `String` and in `JSON.stringify`. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown, context?: Source) => {
    const source = context?.source
    return typeof value === 'number' && source !== undefined && String(value) !== source
      ? new WireNumber(source)
      : value
  })

/** Whether a value of an answer is a number; `Number` makes it one of JavaScript. */
export const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof WireNumber

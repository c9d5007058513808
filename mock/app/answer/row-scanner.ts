const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\{}[]'].map((char) =>
  char.charCodeAt(0),
)

/** Counts rows, which are objects or arrays, in JSON text that arrives in pieces of any length. */
export class RowScanner {
  /** Complete rows so far. */
  rows = 0
  #depth = 0
  #inText = false
  #escaped = false

  /**
   * Reads the next piece.
   *
   * @param until stops after this row
   * @returns the number of bytes read
   */
  read(bytes: Uint8Array, until = Number.POSITIVE_INFINITY): number {
    if (this.rows >= until) return 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (byte === backslash) this.#escaped = true
        else if (byte === quote) this.#inText = false
      } else if (byte === quote) this.#inText = true
      else if (byte === openBrace || byte === openBracket) this.#depth++
      else if ((byte === closeBrace || byte === closeBracket) && --this.#depth === 0) {
        this.rows++
        if (this.rows === until) return at + 1
      }
    }
    return bytes.length
  }
}

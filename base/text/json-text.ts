/** A body as text. */
export interface JsonText {
  readonly text: string
  /** Why the bytes are not the text of a JSON document (RFC 8259, section 8.1); undefined if they are. */
  readonly encodingProblem?: string
}

/** Decodes the bytes of a body part by part, and notices what a lenient decoder hides. */
export class JsonTextDecoder {
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #strict = new TextDecoder('utf-8', { fatal: true })
  #text = ''
  #isUtf8 = true

  add(part: Uint8Array): void {
    this.#decode(part)
  }

  /** The text of all parts, without a byte order mark. */
  end(): JsonText {
    this.#decode()
    const hasMark = this.#text.startsWith('\uFEFF')
    const text = hasMark ? this.#text.slice(1) : this.#text
    if (!this.#isUtf8) return { text, encodingProblem: 'bytes that are not UTF-8' }
    return hasMark ? { text, encodingProblem: 'a byte order mark before the JSON' } : { text }
  }

  #decode(part?: Uint8Array): void {
    const stream = part !== undefined
    this.#text += this.#lenient.decode(part, { stream })
    if (!this.#isUtf8) return
    try {
      this.#strict.decode(part, { stream })
    } catch {
      this.#isUtf8 = false
    }
  }
}

/** Decodes a whole body. @example jsonText(new Uint8Array([0xff])).encodingProblem // 'bytes that are not UTF-8' */
export function jsonText(bytes: Uint8Array): JsonText {
  const decoder = new JsonTextDecoder()
  decoder.add(bytes)
  return decoder.end()
}

/** Whether a text is a JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

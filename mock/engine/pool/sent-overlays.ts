import type { Overlay } from '../../statement.ts'
import type { Request } from './protocol.ts'

/** Most overlays that an engine holds; each takes some hundred kilobytes. */
const maxOverlays = 64

/** The part of each overlay that an engine has. */
export class SentOverlays {
  /** The number of changes by the id of the overlay, the least recently used one first. */
  readonly #sent = new Map<string, number>()

  /** Whether the engine has any. Sending them to another one again takes time. */
  get any(): boolean {
    return this.#sent.size > 0
  }

  /** The messages that an engine needs before it runs a statement with an overlay. */
  update({ id, changes }: Overlay): Request[] {
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    this.#sent.set(id, changes.length)
    const requests: Request[] = []
    if (this.#sent.size > maxOverlays) {
      const oldest = this.#sent.keys().next().value!
      this.#sent.delete(oldest)
      requests.push({ type: 'drop-overlay', id: oldest })
    }
    if (sent === undefined || sent < changes.length)
      requests.push({ type: 'overlay', overlay: { id, changes: changes.slice(sent) } })
    return requests
  }
}

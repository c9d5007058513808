import type { Overlay, RowChange } from '../../statement.ts'
import type { OverlayUpdate } from './messages.ts'

/** Most overlays of all test workers; the least recently used one is forgotten. */
const maxOverlays = 1000

/** The overlays of the test workers, which send each change once. */
export class ReceivedOverlays {
  readonly #changes = new Map<string, RowChange[]>()

  /** The overlay with all its changes. @throws Error if changes before are missing */
  update({ id, from, changes }: OverlayUpdate): Overlay {
    const known = this.#changes.get(id) ?? []
    if (from > known.length) throw new Error('The rows of this mock were forgotten. Create another mock.')
    // two connections may send the same change
    known.push(...changes.slice(known.length - from))
    this.#changes.delete(id)
    this.#changes.set(id, known)
    if (this.#changes.size > maxOverlays) this.#changes.delete(this.#changes.keys().next().value!)
    return { id, changes: known }
  }
}

import { defaultSettings } from '../../../open-points/default-settings.ts'
import type { EngineSettings } from '../../../statement.ts'
import type { Admitted } from './admitted.ts'
import { GateThread } from './gate-thread.ts'

/** Most statements that are remembered, and the longest, in characters; above that number, all are forgotten. */
const [maxKnown, maxLength] = [256, 4_000]

/** The gate, which asks its thread once for a statement that is sent again and again. */
export class Gate {
  readonly #thread: GateThread
  readonly #known = new Map<string, readonly Admitted[]>()

  /** @param schema of the views */
  constructor(schema: string) {
    this.#thread = new GateThread(schema)
  }

  /** @throws StatementRefused; EngineBusy if the thread ends meanwhile */
  async admit(statement: string, settings: EngineSettings): Promise<readonly Admitted[]> {
    if (settings !== defaultSettings || statement.length > maxLength)
      return this.#thread.admit(statement, settings)
    const known = this.#known.get(statement)
    if (known) return known
    const admitted = await this.#thread.admit(statement, settings)
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(statement, admitted)
    return admitted
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

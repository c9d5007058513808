import { type Literal, type Template, templateOf } from '../../../gate/literals.ts'
import { mayBeClock } from '../../../gate/repeatable.ts'
import { defaultSettings } from '../../../open-points/default-settings.ts'
import type { EngineSettings } from '../../../statement.ts'
import type { Admitted } from './admitted.ts'
import { GateThread } from './gate-thread.ts'

interface Known {
  readonly literals: readonly Literal[]
  readonly admitted: Admitted
}

/** Templates that are remembered; above that, all are forgotten. */
const maxKnown = 256

/**
 * The gate, which asks its thread once for all statements that differ in nothing but constants with which WHERE and ON compare
 * columns: the embedded engine makes those parameters of one prepared statement.
 */
export class Gate {
  readonly #thread: GateThread
  readonly #known = new Map<string, Known>()

  /** @param schema of the views */
  constructor(schema: string) {
    this.#thread = new GateThread(schema)
  }

  /** @throws StatementRefused; EngineBusy if the thread ends meanwhile */
  async admit(statement: string, settings: EngineSettings): Promise<readonly Admitted[]> {
    const template = settings === defaultSettings ? templateOf(statement) : undefined
    const known = template && this.#find(statement, template)
    if (known) return [known]
    const admitted = await this.#thread.admit(statement, settings)
    if (template) this.#remember(statement, template, admitted)
    return admitted
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #find(text: string, { key, literals }: Template): Admitted | undefined {
    const known = this.#known.get(key)
    if (!known) return undefined
    const { parameters, isRepeatable } = known.admitted
    let readsClock = false
    for (const [index, { value, start }] of known.literals.entries()) {
      const own = literals[index]!.value
      if (!parameters.has(start)) {
        if (own !== value) return undefined
      } else if (mayBeClock(own)) readsClock = true
    }
    return { ...known.admitted, text, isRepeatable: isRepeatable && !readsClock }
  }

  #remember(statement: string, { key, literals }: Template, [admitted]: readonly Admitted[]): void {
    // a text that the gate changed has its constants at other places, and a clock may not stand for other constants
    if (admitted?.text !== statement || literals.some(({ value }) => mayBeClock(value))) return
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(key, { literals, admitted })
  }
}

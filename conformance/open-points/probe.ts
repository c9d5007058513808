import type { Observation, Undocumented } from '../../schemas/index.ts'
import { undocumented } from '../../schemas/index.ts'
import { TransportError } from '../connection/client.ts'
import type { Target } from '../connection/target.ts'

/** What a target does where the contract is silent. Nothing in it is right or wrong. */
export interface Seen {
  /** The way the register knows it by; one that the register does not know counts as none. */
  variant?: string | undefined
  /** What was seen, as a phrase. Names of keys and columns may be in it, values of rows never. */
  seen: string
}

/** Looks at what a target does in one silence of the contract. It fails nobody. */
export interface Probe {
  /** Id of an entry of schemas/undocumented.json that has a knob. */
  silence: string
  /**
   * Id of the check whose exchanges it reads: it runs after the phase of that check, and is left out with it.
   * Without one it runs after the parallel checks.
   */
  after?: string
  /** Undefined where the target showed nothing that tells. */
  observe(t: Target): Promise<Seen | undefined>
}

export const probe = (definition: Probe): Probe => definition

export interface Observations {
  observations: Record<string, Observation>
  /** Why nothing is known of the other silences that were looked at. */
  notObserved: Record<string, string>
}

/**
 * Runs probes one after the other, behind the checks, whose answers they read again. An error in one ends in
 * the reason why nothing was observed; a target that has fallen silent is not asked on.
 *
 * @param safe takes out what a report must not hold
 */
export async function observeAll(
  probes: readonly Probe[],
  t: Target,
  safe: (text: string) => string,
): Promise<Observations> {
  const found: Observations = { observations: {}, notObserved: {} }
  let silent: string | undefined
  for (const { silence, observe } of probes) {
    const asked = t.client.statements
    try {
      const seen = silent === undefined ? await observe(t) : undefined
      if (seen)
        found.observations[silence] = toObservation({ ...seen, seen: safe(seen.seen) }, silenceOf(silence))
      else found.notObserved[silence] = safe(silent ?? 'Nothing in the answers tells.')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      found.notObserved[silence] = safe(reason)
      const lost = error instanceof TransportError && t.client.statements > asked
      if (lost && !(await answers(t))) silent = reason
    }
  }
  return found
}

/** How long a small statement may take of a target that left another one without an answer, in milliseconds. */
const PATIENCE_MS = 5000

const answers = (t: Target): Promise<boolean> =>
  t.query('SELECT id FROM v_bioprocesses LIMIT 1', { retries: 0, timeoutMs: PATIENCE_MS }).then(
    () => true,
    () => false,
  )

function toObservation({ variant, seen }: Seen, { knob, variants }: Undocumented): Observation {
  const known = variants.some(({ slug }) => slug === variant)
  return { knob: knob!, ...(known ? { variant: variant! } : {}), seen }
}

/** @throws Error for an id that the register does not have */
export function silenceOf(id: string): Undocumented {
  const entry = undocumented.find((candidate) => candidate.id === id)
  if (!entry) throw new Error(`There is no silence ${id}: use an id of schemas/undocumented.json.`)
  return entry
}

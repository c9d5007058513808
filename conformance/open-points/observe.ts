import { findOpenPoint, isSetting, openPoints, type Observation } from '../../schemas/index.ts'
import { TransportError } from '../connection/http/client.ts'
import { askingFor } from '../connection/http/identity.ts'
import type { Target } from '../connection/target.ts'
import { probes } from './index.ts'
import type { Probe } from './probe.ts'

/** What is known of the open points, by their numbers. */
export interface Observations {
  observations: Record<string, Observation>
  /** Why nothing is known of the others. */
  notObserved: Record<string, string>
}

/** The probes of all settings that the suite looks into, in the order of the contract. */
export const allProbes: readonly Probe[] = Object.values(probes).filter((probe) => 'observe' in probe)

/** Why the suite does not look into the other open points, by their numbers. */
export const withoutProbe: Readonly<Record<string, string>> = Object.fromEntries(
  openPoints.flatMap(({ id, number, probe: reason }) => {
    if (!isSetting(id)) return [[number, reason]]
    const probe = probes[id]
    return 'reason' in probe ? [[number, probe.reason]] : []
  }),
)

/** The key of an open point in a report. */
export const numberOf = ({ id }: Pick<Probe, 'id'>): string => findOpenPoint(id)!.number

/**
 * Runs probes one after the other. An error in a probe becomes the reason why nothing was observed. Once the target
 * stops responding, the remaining probes are skipped.
 *
 * @param safe removes from a text what a report must not hold
 */
export async function observeAll(
  probes: readonly Probe[],
  t: Target,
  safe: (text: string) => string,
): Promise<Observations> {
  const found: Observations = { observations: {}, notObserved: {} }
  let silent: string | undefined
  for (const probe of probes) {
    const number = numberOf(probe)
    const asked = t.client.statements
    try {
      const observed =
        silent === undefined ? await askingFor(probe.id, async () => probe.observe(t)) : undefined
      if (observed) {
        const { variant, seen } = observed
        found.observations[number] = {
          point: probe.id,
          knob: probe.id,
          ...(variant === undefined ? {} : { variant }),
          seen: safe(seen),
        }
      } else found.notObserved[number] = safe(silent ?? 'The responses do not show it.')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      found.notObserved[number] = safe(reason)
      const lost = error instanceof TransportError && t.client.statements > asked
      if (lost && !(await responds(t))) silent = reason
    }
  }
  return found
}

/** How long a small statement may take after another one got no answer, in milliseconds. */
const PATIENCE_MS = 5000

const responds = (t: Target): Promise<boolean> =>
  t.query('SELECT id FROM v_bioprocesses LIMIT 1', { retries: 0, timeoutMs: PATIENCE_MS }).then(
    () => true,
    () => false,
  )

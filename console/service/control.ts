import { computed, type Signal, signal } from '@preact/signals'
import type { FaultStatus } from '../../mock/app/faults/faults.ts'
import type { SettingState } from '../../mock/app/server-settings.ts'
import { say } from '../parts/copy.ts'
import { bodyOf, type Service } from './service.ts'

/** A setting of the server, by the id of its open point, and its variants. */
export type Setting = Omit<SettingState, 'point' | 'knob'>

interface Listing {
  readonly variants: readonly SettingState[]
  readonly next: readonly { readonly variants: Readonly<Record<string, string>>; readonly left: number }[]
}

/** The settings of the server, in the order of the contract; empty until they are read. */
export const settings = signal<readonly Setting[]>([])
/** Variants that wait for the next statements. */
export const upcoming = signal<Listing['next']>([])
const allFaults = signal<readonly FaultStatus[]>([])
/** The faults that are not used up. */
export const faults = computed(() =>
  allFaults.value.filter(
    ({ fault, triggered }) => !('times' in fault) || triggered < (fault.times ?? Infinity),
  ),
)

/** The settings that are not those of the start. */
export const armed = computed(() => settings.value.filter(({ source }) => source === 'run time'))

/**
 * Reads the settings and faults of the server.
 *
 * @throws Error if the server does not tell them
 */
export async function readControls(service: Service): Promise<void> {
  await Promise.all([askVariants(service, 'variants'), askFaults(service)])
}

/** Sets variants until they are reset. */
export const setVariants = (service: Service, variants: Readonly<Record<string, string>>): Promise<void> =>
  told(askVariants(service, 'variants', { method: 'PATCH', body: variants }))

/** Sets variants for the next statement alone. */
export const injectOnce = (service: Service, variants: Readonly<Record<string, string>>): Promise<void> =>
  told(askVariants(service, 'variants/next', { method: 'POST', body: { variants, count: 1 } }))

/** Removes what is injected at some routes, such as `variants` or `faults?fault=reset`; the counts of other faults go on. */
export const remove = (service: Service, ...paths: readonly string[]): Promise<void> => {
  const answers = paths.map(async (path) => bodyOf(await service.admin(path, { method: 'DELETE' })))
  return told(Promise.all(answers).then(() => readControls(service)))
}

/** Adds a fault; the counts of the others go on. @throws Error with the server's sentence if it refuses the fault */
export const addFault = (service: Service, spec: string): Promise<void> =>
  askFaults(service, { method: 'POST', body: { faults: [spec] } })

type Request = Parameters<Service['admin']>[1]

async function askVariants(service: Service, path: string, request?: Request): Promise<void> {
  const { variants, next } = await bodyOf<Listing>(await service.admin(path, request))
  update(
    settings,
    variants.map((one) => ({ ...one, id: one.point })),
  )
  update(upcoming, next)
}

async function askFaults(service: Service, request?: Request): Promise<void> {
  const listing = await bodyOf<{ faults: readonly FaultStatus[] }>(await service.admin('faults', request))
  update(allFaults, listing.faults)
}

/** Leaves what is the same alone: drawn again, a menu that is open could lose its place. */
function update<T>(signal: Signal<T>, value: T): void {
  if (JSON.stringify(value) !== JSON.stringify(signal.peek())) signal.value = value
}

/** Says why a change was refused. */
const told = (change: Promise<unknown>): Promise<void> =>
  change.then(
    () => {},
    ({ message }: Error) => say(message),
  )

import { computed, signal } from '@preact/signals'
import type { FaultStatus } from '../../mock/app/faults/faults.ts'
import type { SettingState } from '../../mock/app/server-settings.ts'
import { bodyOf, type Service } from './service.ts'

/** A setting of the server and its variants. */
export type Setting = Omit<SettingState, 'knob' | 'id'> & { readonly id: string }

interface Listing {
  readonly variants: readonly SettingState[]
  readonly next: readonly { readonly variants: Readonly<Record<string, string>>; readonly left: number }[]
}

/** The settings of the server, in the order of the contract; empty until they are read. */
export const settings = signal<readonly Setting[]>([])
/** Variants that wait for the next statements. */
export const upcoming = signal<Listing['next']>([])
export const faults = signal<readonly FaultStatus[]>([])
/** What the server refused, in its words. */
export const refusal = signal<string | undefined>(undefined)

/** The settings that are not those of the start. */
export const armed = computed(() => settings.value.filter(({ source }) => source === 'run time'))

/** Reads the settings and faults of the server. */
export async function readControls(service: Service): Promise<void> {
  await Promise.all([change(service, 'variants', {}), changeFaults(service, {})])
}

/** Sets variants until they are reset. */
export const setVariants = (service: Service, variants: Readonly<Record<string, string>>): Promise<void> =>
  change(service, 'variants', { method: 'PATCH', body: variants })

/** Sets variants for the next statement alone. */
export const armOnce = (service: Service, variants: Readonly<Record<string, string>>): Promise<void> =>
  change(service, 'variants/next', { method: 'POST', body: { variants, count: 1 } })

/** Keeps only these of the variants that were set. */
export const keepVariants = (service: Service, kept: readonly Setting[]): Promise<void> =>
  kept.length === 0 && upcoming.value.length === 0
    ? change(service, 'variants', { method: 'DELETE' })
    : change(service, 'variants', {
        method: 'PUT',
        body: Object.fromEntries(kept.map(({ id, value }) => [id, value])),
      })

/** Returns to the settings of the start, and to no faults. */
export async function disarm(service: Service): Promise<void> {
  await Promise.all([
    change(service, 'variants', { method: 'DELETE' }),
    changeFaults(service, { method: 'DELETE' }),
  ])
}

/** Injects exactly these faults. */
export const setFaults = (service: Service, specs: readonly string[]): Promise<void> =>
  changeFaults(service, { method: 'PUT', body: { faults: specs } })

type Request = Parameters<Service['admin']>[1]

async function change(service: Service, path: string, request: Request): Promise<void> {
  await told(async () => {
    const listing = await bodyOf<Listing>(await service.admin(path, request))
    settings.value = listing.variants.map(({ knob, ...rest }) => ({ ...rest, id: knob }))
    upcoming.value = listing.next
  })
}

async function changeFaults(service: Service, request: Request): Promise<void> {
  await told(async () => {
    const listing = await bodyOf<{ faults: readonly FaultStatus[] }>(await service.admin('faults', request))
    faults.value = listing.faults
  })
}

async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work()
    refusal.value = undefined
  } catch (error) {
    refusal.value = (error as Error).message
  }
}

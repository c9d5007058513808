import { setTimeout as sleep } from 'node:timers/promises'
import { EngineBusy } from '../../statement.ts'
import type { SessionKind } from './address.ts'
import type { Host } from './host.ts'
import { SeenPositions } from './seen-positions.ts'

/** The time between two looks for a host, in milliseconds. */
const lookMs = 50

/** Chooses the host of a statement. */
export class Hosts {
  readonly all: readonly Host[]
  readonly seen = new SeenPositions()
  readonly #kind: SessionKind
  /** The host that answered the last statement of each owner. */
  readonly #last = new Map<string, Host>()

  constructor(all: readonly Host[], kind: SessionKind) {
    this.all = all
    this.#kind = kind
  }

  /**
   * The host for a statement, waiting for one if necessary. A hot standby if there is one; the one of the owner's last statement if
   * it has a place; one that is as far as what the owner has seen.
   *
   * @param tried hosts that could not answer it; emptied to try them again
   * @param until the end of the wait, as `performance.now()` counts
   * @throws EngineBusy if no host answers in time
   */
  async choose(owner: string, tried: Set<Host>, until: number, signal: AbortSignal): Promise<Host> {
    for (;;) {
      const host = this.#best(owner, tried)
      if (host) {
        this.#remember(owner, host)
        return host
      }
      if (performance.now() > until)
        throw new EngineBusy(
          tried.size > 0
            ? 'No host of the database has all that was seen before. Send the statement again in a moment.'
            : 'No host of the database answers. Send the statement again in a moment.',
        )
      await sleep(lookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      tried.clear()
    }
  }

  /** How many bytes of the log a standby is behind the furthest host. */
  lagBytes(host: Host): bigint {
    const furthest = this.all.reduce((most, { position: { bytes } }) => (bytes > most ? bytes : most), 0n)
    return host.position.inRecovery && host.isUp ? furthest - host.position.bytes : 0n
  }

  #best(owner: string, tried: ReadonlySet<Host>): Host | undefined {
    const up = this.all.filter((host) => host.isUp && !tried.has(host))
    const standbys = up.filter((host) => host.position.inRecovery)
    const primaries = up.filter((host) => !host.position.inRecovery)
    const own = this.#last.get(owner)
    if (this.#kind === 'primary') return leastLoaded(primaries)
    if (this.#kind === 'any') return sticky(up, own) ?? leastLoaded(up)
    const standby =
      sticky(standbys, own) ?? leastLoaded(this.#farEnough(standbys, owner)) ?? leastLoaded(standbys)
    return standby ?? (this.#kind === 'standby' ? undefined : leastLoaded(primaries))
  }

  /** Those that were as far as the owner when they last said how far they are. */
  #farEnough(hosts: readonly Host[], owner: string): Host[] {
    const needed = this.seen.of(owner)
    return hosts.filter(({ position }) => position.bytes >= needed)
  }

  #remember(owner: string, host: Host): void {
    this.#last.delete(owner)
    this.#last.set(owner, host)
    if (this.#last.size > 1000) this.#last.delete(this.#last.keys().next().value!)
  }
}

const sticky = (hosts: readonly Host[], own: Host | undefined): Host | undefined =>
  hosts.find((host) => host === own && host.hasPlace)

function leastLoaded(hosts: readonly Host[]): Host | undefined {
  let best: Host | undefined
  for (const host of hosts) if (!best || host.load < best.load) best = host
  return best
}

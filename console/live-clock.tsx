import { useEffect, useState } from 'preact/hooks'
import type { Service } from './service/service.ts'

/** The time of the data, in milliseconds since 1970: a live plant goes on, another one has ended. */
export function timeOf({ facts: { now, plant, readAt = 0 } }: Service): number {
  const elapsed = now === undefined ? 0 : (plant?.speed ?? 0) * (performance.now() - readAt)
  return Date.parse(now ?? plant?.asOf ?? new Date().toISOString()) + elapsed
}

/** The time of a live plant, and how fast it goes on. */
export function LiveClock({ service }: { service: Service }) {
  const { now, plant } = service.facts
  const [, tick] = useState(0)
  useEffect(() => {
    if (now === undefined) return
    const timer = setInterval(() => tick(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [service])
  if (now === undefined) return null
  const speed = plant?.speed
  const time = new Date(timeOf(service)).toISOString().slice(0, 16).replace('T', ' ')
  return (
    <span class="badge info" title="The simulated plant goes on, so many times as fast as real time.">
      live {speed !== undefined && `${time} · ${speed}×`}
    </span>
  )
}

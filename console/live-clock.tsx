import { useEffect, useState } from 'preact/hooks'
import type { Service } from './service/service.ts'

/** The time of a live plant, and how fast it goes on. */
export function LiveClock({ service }: { service: Service }) {
  const { now, plant, readAt = 0 } = service.facts
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    if (now === undefined) return
    const timer = setInterval(() => setElapsed(performance.now() - readAt), 1000)
    return () => clearInterval(timer)
  }, [service])
  if (now === undefined) return null
  const speed = plant?.speed
  const time = new Date(Date.parse(now) + (speed ?? 0) * elapsed).toISOString().slice(0, 16).replace('T', ' ')
  return (
    <span class="badge info" title="The simulated plant goes on, so many times as fast as real time.">
      live {speed !== undefined && `${time} · ${speed}×`}
    </span>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { count } from '../parts/format.ts'
import type { Service } from '../service/service.ts'

const counting =
  'SELECT (SELECT count(*) FROM v_bioprocesses) AS runs, (SELECT count(*) FROM v_timeseries_data) AS points'

/** What is served: how much, and which plant. */
export function PlantLine({ service }: { service: Service }) {
  const [counts, setCounts] = useState<readonly number[]>()
  useEffect(() => {
    if (service.token === undefined) return
    const leaving = new AbortController()
    service.ask(counting, { signal: leaving.signal }).then(
      ({ rows }) => setCounts(rows[0]?.map(Number)),
      // a server that refuses it says so at the next statement
      () => {},
    )
    return () => leaving.abort()
  }, [service])
  const { plant, now } = service.facts
  const about = [
    counts && `${counts[0]!.toLocaleString('en')} bioprocesses, ${count(counts[1]!, 'point')}`,
    plant ? `simulated plant of seed ${plant.seed} at scale ${plant.scale}` : 'rows of your own',
    plant && now === undefined && `as of ${plant.asOf.slice(0, 16).replace('T', ' ')}`,
  ]
  return <p class="small muted">{about.filter(Boolean).join(' · ')}</p>
}

import { useMemo } from 'preact/hooks'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'
import { Problem } from '../parts/give-token.tsx'

/** A bioprocess in its vessel. Times are milliseconds since 1970. */
interface Occupied {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly vessel: string
  readonly from: number
  readonly to: number
}

const statement = `SELECT b.id, b.name, b.status, d.value, b.start_timestamp, b.end_timestamp
  FROM v_bioprocess_quantity_data d
  LEFT JOIN v_bioprocesses b ON d.bioprocess_id = b.id
  LEFT JOIN v_quantities q ON d.quantity_id = q.id
  WHERE q.name = 'Vessel ID'`

const day = 86_400_000
const [rowHeight, label, dayWidth] = [24, 64, 14]

/** Which vessel is occupied when: a line for each, and a bar for each bioprocess. */
export function Vessels({ service }: { service: Service }) {
  const { value: occupied, problem } = useRead(
    async (signal) => {
      const rows = await service.read(statement, signal)
      return rows.map(occupiedOf).filter(({ from, to }) => to > from)
    },
    [service],
  )
  if (problem) return <Problem what="The vessels" error={problem} />
  if (!occupied) return <p class="empty">Reading the vessels …</p>
  if (occupied.length === 0) return <p class="empty">No bioprocess has a quantity Vessel ID.</p>
  return <Timetable occupied={occupied} />
}

const occupiedOf = ([id, name, status, vessel, from, to]: readonly unknown[]): Occupied => ({
  id: String(id),
  name: String(name),
  status: String(status),
  vessel: String(vessel),
  from: Date.parse(String(from)),
  to: Date.parse(String(to)),
})

function Timetable({ occupied }: { occupied: readonly Occupied[] }) {
  const vessels = useMemo(() => [...new Set(occupied.map(({ vessel }) => vessel))].toSorted(), [occupied])
  const first = Math.floor(Math.min(...occupied.map(({ from }) => from)) / day) * day
  const last = Math.max(...occupied.map(({ to }) => to))
  const x = (time: number) => label + ((time - first) / day) * dayWidth
  const height = (vessels.length + 1) * rowHeight
  // a Monday lies four days after the beginning of 1970
  const firstMonday = Math.ceil((first - 4 * day) / (7 * day)) * 7 * day + 4 * day
  const mondays = Array.from(
    { length: Math.max(0, Math.ceil((last - firstMonday) / (7 * day))) },
    (_, week) => firstMonday + week * 7 * day,
  )
  return (
    <section class="card" aria-label="Vessels">
      <header class="small">
        {['completed', 'in-progress', 'planned'].map((kind) => (
          <span key={kind}>
            <svg class="vessels" width="14" height="10" aria-hidden="true">
              <rect class={kind} width="14" height="10" rx="3" />
            </svg>{' '}
            {kind.replace('-', ' ')}
          </span>
        ))}
      </header>
      <div class="scroll" tabIndex={0} role="region" aria-label="Timetable of the vessels">
        <svg
          class="vessels"
          width={x(last) + 12}
          height={height}
          role="group"
          aria-label="Bioprocesses by vessel"
        >
          {mondays.map((monday) => (
            <g key={monday}>
              <path class="week" d={`M${x(monday)} 0V${height}`} />
              <text x={x(monday) + 3} y={15}>
                {new Date(monday).toISOString().slice(5, 10)}
              </text>
            </g>
          ))}
          {vessels.map((vessel, row) => (
            <g key={vessel}>
              <text class="mono" x={4} y={(row + 1) * rowHeight + 16}>
                {vessel}
              </text>
              {occupied
                .filter((one) => one.vessel === vessel)
                .map(({ id, name, status, from, to }) => (
                  <a key={id} href={hashOf('plot', { runs: id })} aria-label={`${name}, ${status}`}>
                    <rect
                      class={status.toLowerCase()}
                      x={x(from)}
                      y={(row + 1) * rowHeight + 3}
                      width={Math.max(2, x(to) - x(from))}
                      height={rowHeight - 6}
                      rx="3"
                    >
                      <title>{`${name}\n${status}, ${iso(from)} to ${iso(to)}`}</title>
                    </rect>
                  </a>
                ))}
            </g>
          ))}
        </svg>
      </div>
    </section>
  )
}

const iso = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { timeOf } from '../live-clock.tsx'
import { arrive } from '../parts/focus.ts'
import { Problem } from '../parts/give-token.tsx'
import { textOf } from '../parts/format.ts'
import { joinProduct } from '../run-list.ts'
import { change, hashOf, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'

const statement = `SELECT b.id, b.name, b.status, d.value, b.start_timestamp, b.end_timestamp, b.run_start_timestamp,
    b.qc->>'status' AS quality, p.product
  FROM v_bioprocess_quantity_data d
  LEFT JOIN v_bioprocesses b ON d.bioprocess_id = b.id
  LEFT JOIN v_quantities q ON d.quantity_id = q.id
  ${joinProduct}
  WHERE q.name = 'Vessel ID'`

const day = 86_400_000
/** Pixels of the names of the vessels, and of a day: the code of a run of three days is readable. */
const [nameWidth, dayWidth] = [72, 40]

/** Which vessel is occupied when: a line for each, and a bar for each bioprocess. */
export function Vessels({ service }: { service: Service }) {
  const { value: occupied, problem } = useRead(
    async (signal) => {
      const rows = await service.read(statement, signal)
      const occupied = rows.map(occupiedOf).filter(({ from, to }) => to > from)
      return occupied.toSorted((a, b) => a.from - b.from)
    },
    [service],
  )
  if (problem) return <Problem what="The vessels" error={problem} />
  if (!occupied) return <p class="empty">Reading the vessels …</p>
  if (occupied.length === 0) return <p class="empty">No bioprocess has a quantity Vessel ID.</p>
  return <Timetable occupied={occupied} now={timeOf(service)} />
}

/** A bioprocess in its vessel. Times are milliseconds since 1970. */
const occupiedOf = ([id, name, status, vessel, from, to, start, quality, product]: readonly unknown[]) => ({
  id: String(id),
  name: String(name),
  // the code repeats the vessel and the day
  label: textOf(product) || String(name),
  status: quality === 'Fail' ? 'failed' : String(status).toLowerCase(),
  vessel: String(vessel),
  from: Date.parse(String(from)),
  to: Date.parse(String(to)),
  hasStarted: start !== null,
})

/** Classes by status; `none` for those that are planned. */
const tones: Readonly<Record<string, string>> = { completed: 'accent', failed: 'bad', 'in-progress': 'info' }

/** Opens at now, or at the bar that the address names: the one that had the focus. */
function Timetable({ occupied, now }: { occupied: readonly ReturnType<typeof occupiedOf>[]; now: number }) {
  const frame = useRef<HTMLDivElement>(null)
  const vessels = useMemo(() => [...new Set(occupied.map(({ vessel }) => vessel))].toSorted(), [occupied])
  const noted = occupied.find(({ id }) => id === route.value.params['bar'])
  const stop = noted ?? occupied.findLast(({ from }) => from <= now) ?? occupied[0]!
  // a Monday lies four days after the beginning of 1970
  const first = Math.floor((occupied[0]!.from - 4 * day) / (7 * day)) * 7 * day + 4 * day
  const last = Math.max(now, ...occupied.map(({ to }) => to)) + day
  const x = (time: number) => nameWidth + ((time - first) / day) * dayWidth
  const mondays = Array.from({ length: Math.ceil((last - first) / (7 * day)) }, (_, n) => first + n * 7 * day)
  useLayoutEffect(() => {
    frame.current!.scrollLeft = x(noted?.from ?? now) - frame.current!.clientWidth * 0.6
    if (noted) arrive(document.getElementById(noted.id))
  }, [])
  return (
    <section class="card vessels" aria-label="Vessels">
      <header class="small">
        <span class="badge accent">completed</span>
        <span class="badge bad">failed</span>
        <span class="badge info">in progress</span>
        <span class="badge none">planned</span>
      </header>
      <div
        class="scroll"
        ref={frame}
        role="group"
        aria-label="Bioprocesses by vessel. Arrow keys lead from one to the next."
        onKeyDown={(event) => {
          const next = beside(event.target as HTMLElement, event.key)
          if (next) event.preventDefault()
          next?.focus()
        }}
      >
        <div style={{ width: `${x(last)}px` }}>
          {mondays.map((monday) => (
            <span key={monday} class="time small muted" style={{ left: `${x(monday)}px` }}>
              {iso(monday).slice(5, 10)}
            </span>
          ))}
          <span class="time small bad" style={{ left: `${x(now)}px` }}>
            now
          </span>
          {vessels.map((name) => (
            <div key={name} class="vessel">
              <b class="mono">{name}</b>
              {occupied
                .filter(({ vessel }) => vessel === name)
                .map(({ id, name, label, status, from, to, hasStarted }) => (
                  <a
                    key={id}
                    id={id}
                    class={`badge ${tones[status] ?? 'none'}`}
                    style={{ left: `${x(from)}px`, width: `${((to - from) / day) * dayWidth}px` }}
                    // axe takes a fragment alone, scrolled out of sight, for a link that skips content
                    href={
                      new URL(
                        hasStarted ? hashOf('plot', { runs: id }) : hashOf('runs', { row: id }),
                        location.href,
                      ).href
                    }
                    title={`${name}\n${status}, ${iso(from)} to ${iso(to)}`}
                    aria-label={`${name}, ${label}, ${status}, ${iso(from)} to ${iso(to)}`}
                    tabIndex={id === stop.id ? 0 : -1}
                    onFocus={() => change({ bar: id })}
                  >
                    <span>{label}</span>
                  </a>
                ))}
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}

const iso = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

/** Where an arrow key leads from a bar: to the next one of its vessel, or to the nearest of the next vessel. */
function beside(bar: HTMLElement, key: string): HTMLElement | undefined {
  const row = bar.parentElement!
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const bars = [...row.querySelectorAll('a')]
    return bars[bars.findIndex((one) => one === bar) + (key === 'ArrowLeft' ? -1 : 1)]
  }
  const other = { ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling }[key]
  const distance = (one: HTMLElement) => Math.abs(one.offsetLeft - bar.offsetLeft)
  return [...(other?.querySelectorAll('a') ?? [])].toSorted((a, b) => distance(a) - distance(b))[0]
}

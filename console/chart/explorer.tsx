import { Button } from '../parts/button.tsx'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { count } from '../parts/format.ts'
import { Problem } from '../parts/give-token.tsx'
import { Select } from '../parts/fields.tsx'
import { focusFind, rove } from '../parts/focus.ts'
import { change, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'
import { type Catalogue, firstRuns, quantitiesOf, readCatalogue } from './catalogue.ts'
import { Chart, clock } from './chart.tsx'
import { CheckList } from './check-list.tsx'
import { extentOf, marksOf, type Panel, panelsOf, type Placed, placed } from './panels.ts'
import { PointStore } from './points.ts'
import { type Alignment, alignments, shortName } from './runs.ts'
import { createView } from './view.ts'

/** Milliseconds between two questions for changes of points, and of runs. */
const [pollMs, runsPollMs] = [1500, 6000]

const axisNames: Readonly<Record<Alignment, string>> = {
  start: 'hours after the start',
  feed: 'hours after the start of the feed',
  induction: 'hours after the induction',
  clock: 'time (UTC)',
}

/** Runs over each other, one panel for each quantity. */
export function Explorer({ service }: { service: Service }) {
  const { value, problem } = useRead((signal) => readCatalogue(service, signal), [service])
  const [refreshed, setRefreshed] = useState<Catalogue>()
  useEffect(() => setRefreshed(undefined), [value])
  const catalogue = refreshed ?? value
  if (problem) return <Problem what="The runs" error={problem} />
  if (!catalogue) return <p class="empty">Reading the runs …</p>
  if (catalogue.runs.length === 0)
    return <p class="empty">No run has started. With own rows, v_bioprocesses needs run_start_timestamp.</p>
  // runs that are followed get new events and end; a question that fails is asked again with the next change
  const refresh = () => void readCatalogue(service).then(setRefreshed, () => {})
  return <Explored service={service} catalogue={catalogue} refresh={refresh} />
}

interface ExploredProps {
  service: Service
  catalogue: Catalogue
  refresh: () => void
}

function Explored({ service, catalogue, refresh }: ExploredProps) {
  const { runs: givenRuns, q, align } = route.value.params
  const isLive = service.facts.now !== undefined
  const runIds = useMemo(() => listIn(givenRuns, ',') ?? firstRuns(catalogue, isLive), [givenRuns, catalogue])
  const available = useMemo(() => quantitiesOf(catalogue, runIds), [catalogue, runIds])
  const wanted = useMemo(() => listIn(q, '|') ?? ['DO', 'OD600'], [q])
  // what none of these runs has is kept for other runs
  const quantities = useMemo(() => wanted.filter((name) => available.includes(name)), [wanted, available])
  const alignment = alignments.find((one) => one === align) ?? 'start'
  const runs = useMemo(
    () => runIds.flatMap((id) => catalogue.runs.find((run) => run.id === id) ?? []),
    [runIds, catalogue],
  )
  const choose = (changed: Partial<Record<'runs' | 'q' | 'align', string>>) =>
    change({ runs: textOf(runIds, ','), q: textOf(wanted, '|'), align: alignment, ...changed })
  const chooseRuns = (ids: readonly string[]) => choose({ runs: textOf(ids, ',') })

  const store = useMemo(() => new PointStore(service), [service])
  const ids = useMemo(
    () =>
      catalogue.series
        .filter(({ runId, quantity }) => runIds.includes(runId) && quantities.includes(quantity))
        .map(({ id }) => id),
    [catalogue, runIds, quantities],
  )
  const { version, isLoading, follows, setFollows, added, problem } = usePoints(store, ids, refresh, isLive)
  const shown = useMemo(() => placed(runs, alignment), [runs, alignment])
  const panels = useMemo(
    () => panelsOf(catalogue, shown, quantities, store, alignment),
    [catalogue, shown, quantities, alignment, version],
  )
  const extent = useMemo(() => extentOf(panels), [panels])
  const marks = useMemo(() => marksOf(shown, alignment), [shown, alignment])
  const view = useMemo(createView, [alignment])
  const unknown = runIds.filter((id) => !runs.some((run) => run.id === id))
  const left = runs.filter((run) => !shown.some((one) => one.run === run))

  return (
    <div class="split">
      <aside class="stack" aria-label="Runs and quantities">
        <CheckList
          title="Runs"
          items={catalogue.runs.map(({ id, name, status, start }) => ({
            id,
            name,
            // what the Runs tab searches
            note: [status, catalogue.products.get(id), clock(start / 1000), id].join(' '),
          }))}
          chosen={runIds}
          choose={chooseRuns}
        />
        <CheckList
          title="Quantities"
          items={available.map((name) => ({ id: name, name }))}
          chosen={wanted}
          choose={(names) => choose({ q: textOf(names, '|') })}
        />
      </aside>
      <section class="stack" aria-label="Panels">
        <div class="row">
          <Select
            shown="row"
            label="Align on"
            value={alignment}
            options={[
              ['start', 'start of the run'],
              ['feed', 'start of the feed'],
              ['induction', 'induction'],
              ['clock', 'clock (no alignment)'],
            ]}
            set={(align) => choose({ align })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={follows}
              onChange={() => {
                // the runs in the plot stay the same when others end
                choose({})
                setFollows(!follows)
              }}
            />
            Follow changes
          </label>
          <span class="muted small" role="status">
            {added > 0 && `${count(added, 'point')} added`}
          </span>
          <Button class="end" text="Show all" act={() => (view.value = undefined)} />
        </div>
        {shown.length > 0 && (
          <Key shown={shown} takeOut={(run) => chooseRuns(runIds.filter((id) => id !== run))} />
        )}
        {unknown.length > 0 && (
          <p class="notice warn small" role="alert">
            Not on this server, or not started: {unknown.join(', ')}. A link to a run is for the server and
            the seed where it was made. Choose from the list of runs.
          </p>
        )}
        {left.length > 0 && (
          <p class="notice warn small">
            Without such an event, and left out: {left.map(shortName).join(', ')}.
          </p>
        )}
        {problem && <Problem what="The points" error={problem} />}
        {panels.length === 0 && <p class="empty card">Choose a run and a quantity.</p>}
        {panels.map(({ title, pitches, curves }) => (
          <div class="card panel" key={title}>
            <Chart
              title={title}
              about={isLoading ? 'Reading the points …' : aboutOf(pitches, service)}
              curves={curves}
              marks={marks}
              extent={extent}
              view={view}
              isTime={alignment === 'clock'}
              xLabel={axisNames[alignment]}
            />
          </div>
        ))}
      </section>
    </div>
  )
}

/** What a point of a panel is: a plant below scale 100 stores means. */
function aboutOf(pitches: Panel['pitches'], { facts: { plant } }: Service): string {
  if (pitches.size === 0) return ''
  const every = Array.from(pitches, ([pitch, runs]) => {
    const text = pitch < 7_200_000 ? `${tenths(pitch / 60_000)} min` : `${tenths(pitch / 3_600_000)} h`
    return pitches.size === 1 ? text : `${text} (${runs.join(', ')})`
  }).join(', ')
  return plant && plant.scale < 100 ? `A point is the mean of ${every}.` : `A point every ${every}.`
}

const tenths = (number: number) => Number(number.toFixed(1))

/** A list in the address; `-` is the empty one, and nothing is the default. */
const listIn = (text: string | undefined, separator: string): readonly string[] | undefined =>
  text === '-' ? [] : text?.split(separator)

const textOf = (list: readonly string[], separator: string): string => list.join(separator) || '-'

/** The chosen runs with their phases, each to take out. */
function Key({ shown, takeOut }: { shown: readonly Placed[]; takeOut: (id: string) => void }) {
  return (
    <ul class="row key" aria-label="Runs in the plot" onKeyDown={rove('button')}>
      {shown.map(({ run, colour, dash }) => (
        <li key={run.id} title={run.name}>
          <svg width="20" height="4" aria-hidden="true">
            <path d="M0 2h20" stroke={`var(${colour})`} stroke-width="3" stroke-dasharray={dash.join(' ')} />
          </svg>{' '}
          {shortName(run)} <span class="muted small">{run.phases.map(({ name }) => name).join(' → ')}</span>
          <Button
            class="quiet small"
            aria-label={`Take out ${shortName(run)}`}
            act={({ currentTarget }) => {
              const { nextElementSibling: next, previousElementSibling: before } =
                currentTarget.closest('li')!
              const neighbour = (next ?? before)?.querySelector('button')
              takeOut(run.id)
              // the focus stays in the group while there is one
              if (neighbour) neighbour.focus()
              else focusFind()
            }}
            text="✕"
          />
        </li>
      ))}
    </ul>
  )
}

/** The points of some series; asked again while they are followed. */
function usePoints(store: PointStore, ids: readonly string[], refresh: () => void, isLive: boolean) {
  const [version, setVersion] = useState(0)
  const [isLoading, setLoading] = useState(true)
  const [follows, setFollows] = useState(isLive)
  const [added, setAdded] = useState(0)
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    const leaving = new AbortController()
    setLoading(true)
    const read = async () => {
      await store.load(ids, leaving.signal)
      setLoading(false)
      setVersion((version) => version + 1)
      if (!follows) return
      let [refreshedAt, isStale] = [performance.now(), false]
      while (!leaving.signal.aborted) {
        const rows = await store.follow(ids, leaving.signal)
        if (rows > 0) {
          setVersion((version) => version + 1)
          setAdded((added) => added + rows)
          isStale = true
        }
        if (isStale && performance.now() - refreshedAt > runsPollMs) {
          ;[refreshedAt, isStale] = [performance.now(), false]
          refresh()
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      }
    }
    read().then(
      () => setProblem(undefined),
      (error: Error) => {
        if (!leaving.signal.aborted) setProblem(error)
      },
    )
    return () => leaving.abort()
  }, [store, ids, follows])
  return { version, isLoading, follows, setFollows, added, problem }
}

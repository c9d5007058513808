import { useEffect, useMemo, useState } from 'preact/hooks'
import { count } from '../parts/format.ts'
import { GiveToken } from '../parts/give-token.tsx'
import { note, route } from '../service/route.ts'
import { needsToken, type Service } from '../service/service.ts'
import { type Catalogue, firstRuns, quantitiesOf, readCatalogue } from './catalogue.ts'
import { Chart } from './chart.tsx'
import { Choices } from './choices.tsx'
import { extentOf, marksOf, panelsOf, type Placed, placed } from './panels.ts'
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
  const [catalogue, setCatalogue] = useState<Catalogue>()
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    const leaving = new AbortController()
    setProblem(undefined)
    readCatalogue(service, leaving.signal).then(setCatalogue, (error: Error) => {
      if (!leaving.signal.aborted) setProblem(error)
    })
    return () => leaving.abort()
  }, [service])
  if (problem) return <Problem what="The runs" error={problem} />
  if (!catalogue) return <p class="empty">Reading the runs …</p>
  if (catalogue.runs.length === 0)
    return <p class="empty">No run has started. With own rows, v_bioprocesses needs run_start_timestamp.</p>
  // runs that are followed get new events and end; a question that fails is asked again with the next change
  const refresh = () => void readCatalogue(service).then(setCatalogue, () => {})
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
  const choose = (change: Partial<Record<'runs' | 'q' | 'align', string>>) =>
    note('plot', { runs: textOf(runIds, ','), q: textOf(wanted, '|'), align: alignment, ...change })

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
  const left = runs.filter((run) => !shown.some((one) => one.run === run))

  return (
    <div class="split">
      <Choices
        catalogue={catalogue}
        runIds={runIds}
        available={available}
        quantities={wanted}
        chooseRuns={(ids) => choose({ runs: textOf(ids, ',') })}
        chooseQuantities={(names) => choose({ q: textOf(names, '|') })}
      />
      <section class="stack" aria-label="Panels">
        <div class="row">
          <label class="row">
            <span>Align on</span>
            <select value={alignment} onChange={({ currentTarget: { value } }) => choose({ align: value })}>
              <option value="start">start of the run</option>
              <option value="feed">start of the feed</option>
              <option value="induction">induction</option>
              <option value="clock">clock (no alignment)</option>
            </select>
          </label>
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
          <button type="button" class="end" onClick={() => (view.value = undefined)}>
            Show all
          </button>
        </div>
        <Key shown={shown} />
        {left.length > 0 && (
          <p class="notice warn small">
            Without such an event, and left out: {left.map(shortName).join(', ')}.
          </p>
        )}
        {problem && <Problem what="The points" error={problem} />}
        {panels.length === 0 && <p class="empty card">Choose a run and a quantity.</p>}
        {panels.map(({ title, pitch, curves }) => (
          <div class="card panel" key={title}>
            <Chart
              title={title}
              about={isLoading ? 'Reading the points …' : aboutOf(pitch, service)}
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
function aboutOf(pitch: number | undefined, { facts: { plant } }: Service): string | undefined {
  if (pitch === undefined) return undefined
  const every =
    pitch < 7_200_000
      ? `${Number((pitch / 60_000).toFixed(1))} min`
      : `${Number((pitch / 3_600_000).toFixed(1))} h`
  return plant && plant.scale < 100 ? `A point is the mean of ${every}.` : `A point every ${every}.`
}

/** A list in the address; `-` is the empty one, and nothing is the default. */
const listIn = (text: string | undefined, separator: string): readonly string[] | undefined =>
  text === '-' ? [] : text?.split(separator)

const textOf = (list: readonly string[], separator: string): string => list.join(separator) || '-'

function Key({ shown }: { shown: readonly Placed[] }) {
  return (
    <ul class="row key" aria-label="Runs in the plot">
      {shown.map(({ run, colour, dash }) => (
        <li key={run.id} title={run.name}>
          <svg width="20" height="4" aria-hidden="true">
            <path d="M0 2h20" stroke={`var(${colour})`} stroke-width="3" stroke-dasharray={dash.join(' ')} />
          </svg>{' '}
          {shortName(run)} <span class="muted small">{run.phases.map(({ name }) => name).join(' → ')}</span>
        </li>
      ))}
    </ul>
  )
}

const Problem = ({ what, error }: { what: string; error: Error }) => (
  <div class="notice bad stack" role="alert">
    <p>
      {what} cannot be read: {error.message}
    </p>
    {needsToken(error) && <GiveToken />}
  </div>
)

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

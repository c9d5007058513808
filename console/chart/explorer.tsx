import { Button } from '../parts/button.tsx'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count, shortTime } from '../parts/format.ts'
import { Problem } from '../parts/give-token.tsx'
import { Select } from '../parts/fields.tsx'
import { arrive } from '../parts/focus.ts'
import { change, note, route } from '../service/route.ts'
import { follow as followChanges } from '../service/follow.ts'
import type { Service } from '../service/service.ts'
import { useRead } from '../service/use-read.ts'
import { type Catalogue, firstRuns, quantitiesOf, readCatalogue } from './catalogue.ts'
import { Chart, clock, setView } from './chart.tsx'
import { CheckList } from './check-list.tsx'
import { backgroundOf, styles } from './curve.ts'
import { extentOf, marksOf, type Panel, panelsOf, type Placed, placed } from './panels.ts'
import { PointStore } from './points.ts'
import { alignments, anchorOf, shortName } from './runs.ts'

/** Milliseconds from one question for changes of runs to the next. */
const runsPollMs = 6000

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

type ExploredProps = { service: Service; catalogue: Catalogue; refresh: () => void }

function Explored({ service, catalogue, refresh }: ExploredProps) {
  const { runs: givenRuns, q, align, note: noted } = route.value.params
  const isLive = service.facts.now !== undefined
  const runIds = useMemo(() => listIn(givenRuns, ',') ?? firstRuns(catalogue, isLive), [givenRuns, catalogue])
  const available = useMemo(() => quantitiesOf(catalogue, runIds), [catalogue, runIds])
  const wanted = useMemo(() => listIn(q, '|') ?? ['DO', 'OD600'], [q])
  // what none of these runs has is kept for other runs
  const quantities = useMemo(() => wanted.filter((name) => available.includes(name)), [wanted, available])
  const alignment = alignments.find((one) => one === align) ?? 'start'
  const known = useMemo(
    () => runIds.flatMap((id) => catalogue.runs.find((run) => run.id === id) ?? []),
    [runIds, catalogue],
  )
  const runs = useMemo(() => known.slice(0, styles), [known])
  // a link shows the same runs when others have started
  useEffect(() => {
    if (givenRuns === undefined) note('plot', { ...route.value.params, runs: textOf(runIds, ',') })
  }, [givenRuns])
  const panelsRef = useRef<HTMLElement>(null)
  useEffect(() => arrive(panelsRef.current!.querySelector<HTMLElement>('.chart')), [])

  const store = useMemo(() => new PointStore(service), [service])
  const ids = useMemo(
    () =>
      catalogue.series
        .filter(({ runId, quantity }) => runIds.includes(runId) && quantities.includes(quantity))
        .map(({ id }) => id),
    [catalogue, runIds, quantities],
  )
  const { loaded, follows, setFollows, added, problem } = usePoints(store, ids, refresh, isLive)
  const shown = useMemo(() => placed(runs, alignment), [runs, alignment])
  const panels = useMemo(
    () => panelsOf(catalogue, shown, quantities, store, alignment),
    [catalogue, shown, quantities, alignment, loaded, added],
  )
  const extent = useMemo(() => extentOf(panels), [panels])
  const marks = useMemo(() => marksOf(shown, alignment, Number(noted)), [shown, alignment, noted])
  const notes = runs.flatMap((run) => run.notes).filter(({ at }) => at === Number(noted))
  const unknown = runIds.filter((id) => !known.some((run) => run.id === id))
  const left = runs.filter((run) => anchorOf(run, alignment) === undefined)
  const notices = [
    unknown.length > 0 &&
      `Not on this server, or not started: ${unknown.join(', ')}. A link to a run is for the server and the seed where it was made. Choose from the list of runs.`,
    known.length > runs.length &&
      `The first ${runs.length} of ${known.length} runs are drawn: as many as look different.`,
    left.length > 0 && `Without such an event, and left out: ${left.map(shortName).join(', ')}.`,
  ].filter(Boolean)

  return (
    <div class="split">
      <aside class="stack" aria-label="Runs and quantities">
        <CheckList
          title="Runs"
          items={catalogue.runs.map(({ id, name, status, product, start }) => ({
            id,
            name,
            // what the Runs tab searches
            note: [status, product, clock(start / 1000), id].join(' '),
          }))}
          chosen={runIds}
          choose={chooseRuns}
        />
        <CheckList
          title="Quantities"
          items={available.map((name) => ({ id: name, name }))}
          chosen={wanted}
          choose={(names) => change({ q: textOf(names, '|') }, 'another')}
        />
      </aside>
      <section class="stack" aria-label="Panels" ref={panelsRef}>
        <div class="row">
          <Select
            shown="row"
            label="Align on"
            value={alignment}
            options={alignments}
            set={(align) => change({ align, view: undefined }, 'another')}
          />
          <label class="check">
            <input type="checkbox" checked={follows} onChange={() => setFollows(!follows)} />
            Follow changes
          </label>
          <span class="muted small" role="status">
            {added > 0 && `${count(added, 'point')} added`}
          </span>
          <Button class="end" text="Show all" act={() => setView(undefined)} />
        </div>
        {shown.length > 0 && <Key shown={shown} />}
        {notices.map((text) => (
          <p class="notice warn small" role="alert">
            {text}
          </p>
        ))}
        {notes.map(({ at, text }) => (
          <p>
            <span class="badge bad">note</span> <span class="muted small">{shortTime(at)}</span> <q>{text}</q>
          </p>
        ))}
        {problem && <Problem what="The points" error={problem} />}
        {panels.length === 0 && (
          <p class="empty card">None of the chosen runs has a chosen quantity. Choose others in the lists.</p>
        )}
        {panels.map(({ title, unit, pitches, curves }) => (
          <div class="card" key={title}>
            <Chart
              title={title}
              about={loaded !== ids ? 'Reading the points …' : aboutOf({ pitches, curves }, service)}
              curves={curves}
              marks={marks}
              extent={extent}
              isTime={alignment === 'clock'}
              xLabel={alignment === 'clock' ? 'time (UTC)' : `hours after the ${alignment}`}
              units={['h', unit]}
            />
          </div>
        ))}
      </section>
    </div>
  )
}

/** Runs that are named each; more are counted. */
const fewRuns = 6

/** What a point of a panel is: a plant below scale 100 stores means. */
function aboutOf(
  { pitches, curves }: Pick<Panel, 'pitches' | 'curves'>,
  { facts: { plant } }: Service,
): string {
  if (curves.every(({ xs }) => xs.length === 0)) return 'No points. Choose another run or another quantity.'
  if (pitches.size === 0) return ''
  const every = Array.from(pitches, ([pitch, runs]) => {
    const text = pitch < 7_200_000 ? `${tenths(pitch / 60_000)} min` : `${tenths(pitch / 3_600_000)} h`
    if (pitches.size === 1) return text
    return `${text} (${runs.length > fewRuns ? count(runs.length, 'run') : runs.join(', ')})`
  }).join(', ')
  return plant && plant.scale < 100 ? `A point is the mean of ${every}.` : `A point every ${every}.`
}

const tenths = (number: number) => Number(number.toFixed(1))

/** A list in the address; `-` is the empty one, and nothing is the default. */
const listIn = (text: string | undefined, separator: string): readonly string[] | undefined =>
  text === '-' ? [] : text?.split(separator)

const textOf = (list: readonly string[], separator: string): string => list.join(separator) || '-'

const chooseRuns = (ids: readonly string[]): void => change({ runs: textOf(ids, ',') }, 'another')

/** The chosen runs and their colours. Many are folded into their number. */
function Key({ shown }: { shown: readonly Placed[] }) {
  const isShort = shown.length <= fewRuns
  return (
    <details class="key" open={isShort}>
      <summary hidden={isShort}>{count(shown.length, 'run')}</summary>
      <ul class="row" aria-label="Runs in the plot">
        {shown.map(({ run, ...style }) => (
          <li key={run.id} title={[run.name, ...run.phases.map(({ name }) => name)].join('\n')}>
            <i class="u-marker" style={{ background: backgroundOf(style) }} /> {shortName(run)}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The points of some series; asked again while they are followed. */
function usePoints(store: PointStore, ids: readonly string[], refresh: () => void, isLive: boolean) {
  const [follows, setFollows] = useState(isLive)
  const [added, setAdded] = useState(0)
  const { value: loaded, problem } = useRead(
    async (signal) => {
      await store.load(ids, signal)
      return ids
    },
    [store, ids],
  )
  useEffect(() => {
    if (!follows || loaded !== ids) return
    let refreshedAt = performance.now()
    return followChanges(async (signal) => {
      const rows = await store.follow(ids, signal)
      setAdded((added) => added + rows)
      if (rows === 0 || performance.now() - refreshedAt < runsPollMs) return
      refreshedAt = performance.now()
      refresh()
    })
  }, [store, ids, loaded, follows])
  return { loaded, follows, setFollows, added, problem }
}

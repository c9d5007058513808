import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { RowsPlot } from '../chart/rows-plot.tsx'
import { copy } from '../parts/copy.ts'
import { Menu } from '../parts/menu.tsx'
import { note, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { undocumentedPart } from './documented.ts'
import { Editor } from './editor.tsx'
import { examples, firstStatement } from './examples.ts'
import { Outcome } from './outcome.tsx'
import { forget, type Past, past, remember } from './past.ts'
import { begin, isMended, outcomeOf, run, type Run } from './run.ts'
import { asCurl, asTypeScript } from './take-away.ts'

const none: Run = { state: 'none' }
/** What the tab last showed, so that it is there again after another tab. */
let last: { text: string; ran: string | undefined; state: Run } = { text: '', ran: undefined, state: none }

/** Whether a link runs a statement: all others, which may change rows, wait for the button. */
const isSelect = (statement: string) => /^\s*select\b/i.test(statement)

/** A statement that was run, in a line. Swedish writes times as ISO 8601 does. */
const pastText = ({ at, outcome, statement }: Past): string =>
  `${new Date(at).toLocaleString('sv-SE').slice(0, 16)} · ${outcome} · ${statement.replaceAll(/\s+/g, ' ').slice(0, 100)}`

/** The statement in the address, which may have been emptied. */
const textNow = () => route.value.params['sql'] ?? (route.value.isNoted ? '' : firstStatement)

/** Sends a statement and shows its rows, with a chart of those that have two axes, or its error. */
export function Ask({ service }: { service: Service }) {
  const text = textNow()
  const isBack = last.text === text && last.state.state !== 'none'
  const state = useSignal<Run>(isBack ? last.state : none)
  /** The route whose rows are there. */
  const shown = useRef(isBack ? route.value : undefined)
  /** The statement that was run. In the history of the browser, another one gets its own entry. */
  const ran = useRef(isBack ? last.ran : undefined)
  const latest = useRef(text)
  latest.current = text
  const beyond = undocumentedPart(text)
  /** The columns of the rows that were there last. */
  const columns = useRef<readonly string[] | undefined>(undefined)
  if (state.value.state === 'rows') columns.current = state.value.answer.columns
  const isFormer = state.value.state === 'rows' && ran.current !== text

  const stop = () => state.value.state === 'running' && state.value.leaving.abort()
  const write = (sql: string, params = route.value.params) =>
    note('ask', { ...params, sql }, params['sql'] && textNow() === ran.current ? 'another' : 'same')
  /** @param isOfPage whether nobody asked for it: it uses up nothing that is injected */
  const start = async (sql = textNow(), isOfPage = false) => {
    const before = columns.current
    write(sql)
    const isAnother = sql !== ran.current
    ran.current = sql
    stop()
    const now = begin()
    state.value = now
    const outcome = await run(service, sql, now, { isOfPage })
    if (state.value !== now) return
    if (outcome.state === 'rows' && before) {
      const { params } = route.value
      // the filter, the order and the axes are those of other columns; the zoom is that of another statement
      if (before.join() !== outcome.answer.columns.join()) note('ask', { sql: params['sql'] })
      else if (isAnother) note('ask', { ...params, view: undefined })
    }
    state.value = outcome
    if (!isOfPage) remember(sql, outcomeOf(outcome))
  }
  const choose = (sql: string) => {
    // the filter and the order are those of another statement
    note('ask', { sql }, route.value.params['sql'] ? 'another' : 'same')
    void start(sql)
  }
  useEffect(() => {
    const { params, isNoted } = route.value
    const { sql } = params
    if (!isNoted && sql === undefined) return void start(firstStatement, true)
    const isShown = sql === ran.current && state.value.state !== 'none'
    if (isNoted || shown.current === route.value || sql === undefined || isShown) return
    stop()
    state.value = none
    // a link and the history have a filter of their own
    columns.current = undefined
    if (isSelect(sql)) void start(sql)
  }, [route.value, service])
  useEffect(() => {
    if (isMended(state.value, service)) void start()
  }, [service, state.value])
  useEffect(
    () => () => {
      last = {
        text: latest.current,
        ran: ran.current,
        state: state.value.state === 'running' ? none : state.value,
      }
      stop()
    },
    [],
  )

  const isRunning = state.value.state === 'running'
  return (
    <div class="stack">
      <Editor text={text} onChange={write} onRun={() => void start()} />
      <div class="row">
        <button
          type="button"
          class="primary run"
          aria-busy={isRunning}
          onClick={() => void start()}
          disabled={!text.trim()}
        >
          Run <kbd>Ctrl ↵</kbd>
        </button>
        {beyond && (
          <p class="small muted beyond">
            <span class="badge info">beyond the contract</span> It does not document {beyond}; a service may
            refuse it.
          </p>
        )}
        <span class="row end">
          <Menu
            label="Examples"
            items={examples.map(({ title, statement }) => [title, () => choose(statement)])}
          />
          {past.value.length > 0 && (
            <Menu
              label={`Past statements (${past.value.length})`}
              items={[
                ...past.value.map((one) => [pastText(one), () => choose(one.statement)] as const),
                ['Forget all', forget],
              ]}
            />
          )}
          <Menu
            label="Copy"
            items={[
              ['curl', () => void copy(asCurl(service.url, text), 'curl, which reads $BIOPROCESS_SQL_TOKEN')],
              ['TypeScript (typed client)', () => void copy(asTypeScript(service.baseUrl, text), 'a module')],
            ]}
          />
        </span>
      </div>
      {isFormer && (
        <p class="small muted" role="status">
          Rows of the statement before; Ctrl+Enter runs this one.
        </p>
      )}
      <div class={isFormer ? 'former' : ''}>
        <Outcome run={state.value} />
      </div>
      {state.value.state === 'rows' && <RowsPlot answer={state.value.answer} />}
    </div>
  )
}

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { hashOf, note, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { undocumentedPart } from './documented.ts'
import { Editor } from './editor.tsx'
import { firstStatement } from './examples.ts'
import { Kept, type KeptResult } from './kept.tsx'
import { wrongWord } from './mark.ts'
import { Outcome } from './outcome.tsx'
import { remember } from './past.ts'
import { PlantLine } from './plant-line.tsx'
import { isMended, outcomeOf, run, type Run } from './run.ts'
import { Shelf } from './shelf.tsx'
import { asCurl, asTypeScript } from './take-away.ts'
import { copy } from '../parts/copy.ts'
import { Menu } from '../parts/menu.tsx'

/** What the tab last showed, so that it is there again after another tab. */
let last: { statement: string; ran?: string | undefined; state: Run } = {
  statement: firstStatement,
  state: { state: 'none' },
}

/** Whether a link runs a statement: all others, which may change rows, wait for the button. */
const isSelect = (statement: string) => /^\s*select\b/i.test(statement)

/** The word of a statement that its error names, as long as the statement is not changed. */
const markOf = (run: Run, ran: string | undefined, text: string) =>
  run.state === 'failed' && ran === text ? wrongWord(text, run.message, run.cause) : undefined

/** Results that stay beside the latest one. */
const mostKept = 3

/** Sends a statement and shows its rows or its error. */
export function Ask({ service }: { service: Service }) {
  const given = useSignal({ text: route.value.params['sql'] ?? last.statement })
  const statement = useSignal(given.value.text)
  const inserted = useSignal<{ text: string } | undefined>(undefined)
  const keptResults = useSignal<readonly KeptResult[]>([])
  const state = useSignal<Run>(last.statement === statement.value ? last.state : { state: 'none' })
  const running = useRef<AbortController>(undefined)
  const noted = useRef(route.value.params['sql'])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The statement of the entry in the history that was run: another one gets its own entry. */
  const ran = useRef(state.value.state === 'none' ? undefined : last.ran)
  const text = statement.value
  const beyond = undocumentedPart(text)

  const address = (next: string) => {
    clearTimeout(timer.current)
    noted.current = next
    const { sql } = route.value.params
    note('ask', { sql: next }, sql !== undefined && sql === ran.current ? 'another' : 'same')
  }
  const type = (next: string) => {
    statement.value = next
    clearTimeout(timer.current)
    // browsers refuse a new address for each key
    timer.current = setTimeout(() => address(next), 300)
  }
  const replace = (next: string) => {
    given.value = { text: next }
    type(next)
  }
  const start = async (next = statement.value) => {
    address(next)
    ran.current = next
    running.current?.abort()
    const leaving = new AbortController()
    running.current = leaving
    state.value = { state: 'running', since: performance.now() }
    const outcome = await run(service, next, leaving.signal)
    if (running.current !== leaving) return
    state.value = outcome
    remember(next, outcomeOf(outcome))
  }
  const choose = (next: string) => {
    replace(next)
    void start(next)
  }
  useEffect(() => {
    const { sql } = route.value.params
    if (sql === undefined || sql === noted.current) return
    noted.current = sql
    if (isSelect(sql)) return choose(sql)
    replace(sql)
    running.current?.abort()
    running.current = undefined
    state.value = { state: 'none' }
  }, [route.value])
  useEffect(() => {
    if (state.value.state !== 'none') address(statement.value)
    else if (service.token !== undefined && isSelect(statement.value)) void start()
  }, [service])
  useEffect(() => {
    if (isMended(state.value, service)) void start()
  }, [service, state.value])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      last = {
        statement: statement.value,
        ran: ran.current,
        state: state.value.state === 'running' ? { state: 'none' } : state.value,
      }
      running.current?.abort()
    },
    [],
  )

  const isRunning = state.value.state === 'running'
  return (
    <div class="split ask">
      <Shelf choose={choose} write={(text) => (inserted.value = { text })} />
      <div class="stack">
        <PlantLine service={service} />
        <Editor
          text={text}
          given={given.value}
          inserted={inserted.value}
          marked={markOf(state.value, ran.current, text)}
          onChange={type}
          onRun={() => void start()}
        />
        <div class="row">
          <button type="button" class="primary" onClick={() => void start()} disabled={!text.trim()}>
            Run <kbd>Ctrl ↵</kbd>
          </button>
          <button type="button" onClick={() => running.current?.abort()} disabled={!isRunning}>
            Cancel
          </button>
          <button
            type="button"
            disabled={state.value.state !== 'rows' || keptResults.value.length === mostKept}
            title="The result stays here while other statements run."
            onClick={() => {
              keptResults.value = [
                { statement: ran.current ?? text, state: state.value },
                ...keptResults.value,
              ]
            }}
          >
            Keep result
          </button>
          {beyond && (
            <p class="small muted grow">
              <span class="badge info">beyond the contract</span> It does not document {beyond}; a service may
              refuse it.
            </p>
          )}
          <span class="row end">
            <a class="button" href={hashOf('plot', { sql: text })}>
              Plot
            </a>
            <Menu
              label="Copy"
              items={[
                [
                  'curl',
                  () =>
                    void copy(asCurl(service.url, text), 'a curl command; it reads $BIOPROCESS_SQL_TOKEN'),
                ],
                [
                  'TypeScript (typed client)',
                  () => void copy(asTypeScript(service.baseUrl, text), 'a TypeScript module'),
                ],
                [
                  'Link to this statement',
                  () => void copy(new URL(hashOf('ask', { sql: text }), location.href).href, 'a link'),
                ],
              ]}
            />
          </span>
        </div>
        <div class={keptResults.value.length > 0 ? 'beside' : ''}>
          <Outcome run={state.value} />
          {keptResults.value.map((result, index) => (
            <Kept
              key={keptResults.value.length - index}
              number={keptResults.value.length - index}
              result={result}
              remove={() => (keptResults.value = keptResults.value.filter((one) => one !== result))}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

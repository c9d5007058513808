import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { hashOf, note, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { undocumentedPart } from './documented.ts'
import { Editor } from './editor.tsx'
import { Examples } from './example-list.tsx'
import { firstStatement } from './examples.ts'
import { Outcome } from './outcome.tsx'
import { isMended, run, type Run } from './run.ts'
import { asCurl, asTypeScript } from './take-away.ts'
import { copy } from '../parts/copy.ts'
import { Menu } from '../parts/menu.tsx'

/** What the tab last showed, so that it is there again after another tab. */
let kept: { statement: string; state: Run } = { statement: firstStatement, state: { state: 'none' } }

/** Sends a statement and shows its rows or its error. */
export function Ask({ service }: { service: Service }) {
  const given = useSignal({ text: route.value.params['sql'] ?? kept.statement })
  const statement = useSignal(given.value.text)
  const state = useSignal<Run>(kept.state)
  const running = useRef<AbortController>(undefined)
  const noted = useRef(route.value.params['sql'])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = statement.value
  const beyond = undocumentedPart(text)

  const type = (next: string) => {
    statement.value = next
    clearTimeout(timer.current)
    // browsers refuse a new address for each key
    timer.current = setTimeout(() => {
      noted.current = next
      note('ask', { sql: next })
    }, 300)
  }
  const replace = (next: string) => {
    given.value = { text: next }
    type(next)
  }
  const start = async (next = statement.value) => {
    running.current?.abort()
    const leaving = new AbortController()
    running.current = leaving
    state.value = { state: 'running', since: performance.now() }
    const outcome = await run(service, next, leaving.signal)
    if (running.current === leaving) state.value = outcome
  }
  useEffect(() => {
    const { sql } = route.value.params
    if (sql === undefined || sql === noted.current) return
    noted.current = sql
    replace(sql)
  }, [route.value])
  useEffect(() => {
    if (isMended(state.value, service)) void start()
  }, [service, state.value])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      kept = {
        statement: statement.value,
        state: state.value.state === 'running' ? { state: 'none' } : state.value,
      }
      running.current?.abort()
    },
    [],
  )

  const isRunning = state.value.state === 'running'
  return (
    <div class="split ask">
      <Examples
        choose={(next) => {
          replace(next)
          void start(next)
        }}
      />
      <div class="stack">
        <Editor text={text} given={given.value} onChange={type} onRun={() => void start()} />
        <div class="row">
          <button
            type="button"
            class="primary"
            onClick={() => void start()}
            disabled={isRunning || !text.trim()}
          >
            Run <kbd>Ctrl ↵</kbd>
          </button>
          <button type="button" onClick={() => running.current?.abort()} disabled={!isRunning}>
            Cancel
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
        <Outcome run={state.value} />
      </div>
    </div>
  )
}

import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { comparisonHtml } from '../../conformance/reports/compare/html.ts'
import { parseReport, ReportError } from '../../conformance/reports/compare/parse-report.ts'
import { htmlReport } from '../../conformance/reports/html/report.ts'
import type { ConformanceReport } from '../../schemas/generated/types.ts'
import { say } from '../parts/copy.ts'
import type { Service } from '../service/service.ts'
import { type Progress, runSuite } from './suite-run.ts'
import { ProgressView } from './progress-view.tsx'
import { ReportView } from './report-view.tsx'

type State =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly progress: Progress }
  | { readonly state: 'done'; readonly report: ConformanceReport }
  | { readonly state: 'failed'; readonly message: string }

/** The last report and the one before it, so that they are there again after another tab. */
let kept: { state: State; earlier: ConformanceReport | undefined } = {
  state: { state: 'none' },
  earlier: undefined,
}

/** Runs the suite against this server, and compares the report with an earlier one. */
export function Judge({ service }: { service: Service }) {
  const state = useSignal<State>(kept.state)
  const earlier = useSignal(kept.earlier)
  const isCompared = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const running = useRef<AbortController>(undefined)

  const set = (next: State) => {
    state.value = next
    kept = { state: next.state === 'running' ? { state: 'none' } : next, earlier: earlier.value }
  }
  const start = async (target: { baseUrl?: string; token?: string }) => {
    const before = state.value
    if (before.state === 'done') earlier.value = before.report
    const leaving = new AbortController()
    running.current = leaving
    set({ state: 'running', progress: { total: 0, results: new Map() } })
    try {
      const show = (progress: Progress) => set({ state: 'running', progress })
      set({ state: 'done', report: await runSuite(service, target, show, leaving.signal) })
    } catch (error) {
      set(leaving.signal.aborted ? { state: 'none' } : { state: 'failed', message: (error as Error).message })
    }
  }
  const now = state.value
  const load = async (file: File | undefined) => {
    if (!file || now.state !== 'done') return
    try {
      const report = parseReport(await file.text(), file.name) as ConformanceReport
      compared(report, now.report)
      earlier.value = report
      isCompared.value = true
      problem.value = undefined
    } catch (error) {
      problem.value =
        error instanceof ReportError
          ? error.message
          : `${file.name} is not a report. Choose one that Save JSON or --report json=FILE wrote.`
    }
  }

  const isRunning = now.state === 'running'
  return (
    <div class="stack">
      <form
        class="row card judge-bar"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const baseUrl = String(form.get('target')).trim()
          const token = String(form.get('token') ?? '').trim()
          void start(baseUrl ? { baseUrl, ...(token && { token }) } : {})
        }}
      >
        <button class="primary" disabled={isRunning}>
          Run the suite
        </button>
        <button type="button" disabled={!isRunning} onClick={() => running.current?.abort()}>
          Stop
        </button>
        <details class="other">
          <summary class="small">Another target</summary>
          <div class="row">
            <label class="field">
              Base URL
              <input name="target" type="url" placeholder="this server" autocomplete="off" />
            </label>
            <label class="field">
              Its token
              <input name="token" type="password" autocomplete="off" />
            </label>
          </div>
        </details>
        <span class="row end">
          {now.state === 'done' && <Downloads report={now.report} />}
          {now.state === 'done' && (
            <label class="button file">
              Compare with …
              <input
                type="file"
                accept=".json,.ndjson"
                onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
              />
            </label>
          )}
        </span>
      </form>
      {problem.value && (
        <p class="notice bad" role="alert">
          {problem.value}
        </p>
      )}
      {now.state === 'none' && (
        <div class="empty card">
          <h2>Not judged yet</h2>
          <p>
            The suite sends some 200 statements to this server, with the variants and faults that are armed
            now. It waits once until a statement reaches the time limit, which is 30 seconds by default.
          </p>
        </div>
      )}
      {now.state === 'failed' && (
        <p class="notice bad" role="alert">
          {now.message}
        </p>
      )}
      {now.state === 'running' && <ProgressView progress={now.progress} />}
      {now.state === 'done' && (
        <>
          {earlier.value && (
            <label class="check">
              <input
                type="checkbox"
                checked={isCompared.value}
                onChange={({ currentTarget }) => (isCompared.value = currentTarget.checked)}
              />
              Show the comparison with the report of {earlier.value.startedAt.slice(0, 19).replace('T', ' ')}
            </label>
          )}
          <Report report={now.report} earlier={isCompared.value ? earlier.value : undefined} />
        </>
      )}
    </div>
  )
}

/** @throws TypeError if a file is no report after all */
const compared = (earlier: ConformanceReport, now: ConformanceReport): string =>
  comparisonHtml([
    { name: 'earlier', report: earlier },
    { name: 'now', report: now },
  ])

function Report({ report, earlier }: { report: ConformanceReport; earlier: ConformanceReport | undefined }) {
  const markup = useMemo(() => (earlier ? compared(earlier, report) : htmlReport(report)), [report, earlier])
  return (
    <section class="card" aria-label="Report">
      <ReportView markup={markup} />
    </section>
  )
}

function Downloads({ report }: { report: ConformanceReport }) {
  return (
    <>
      <button
        type="button"
        onClick={() => save('report.json', 'application/json', JSON.stringify(report, null, 2))}
      >
        Save JSON
      </button>
      <button type="button" onClick={() => save('report.html', 'text/html', htmlReport(report))}>
        Save HTML
      </button>
    </>
  )
}

/** Lets the browser save a text as a file. */
const save = (name: string, type: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
  say(`Saved ${name}`)
}

import { Button } from '../parts/button.tsx'
import { useEffect } from 'preact/hooks'
import { follow } from '../service/follow.ts'
import type { Service } from '../service/service.ts'
import { problem, type Progress, progress, readReport, report, runSuite, stop } from './suite-run.ts'

/** Runs the suite against this server, and shows the HTML report of the last run. */
export function Judge({ service }: { service: Service }) {
  useEffect(() => follow(() => readReport(service)), [service])
  const isRunning = progress.value !== undefined
  return (
    <div class="stack">
      <form
        class="row card judge-bar"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const [baseUrl, token] = ['target', 'token'].map((name) => String(form.get(name) ?? '').trim())
          void runSuite(service, baseUrl ? { baseUrl, ...(token && { token }) } : {})
        }}
      >
        <button class="primary" disabled={isRunning}>
          Run the suite
        </button>
        <Button disabled={!isRunning} text="Stop" act={stop} />
        {service.facts.judgesOthers ? (
          <OtherTarget />
        ) : (
          <p class="small muted">
            Judges {service.baseUrl}. To judge another server, start this one with <code>--allow-target</code>
            , or use <code>bioprocess-sql conformance</code>.
          </p>
        )}
      </form>
      {problem.value && (
        <p class="notice bad" role="alert">
          {problem.value}
        </p>
      )}
      {progress.value ? (
        <ProgressView progress={progress.value} />
      ) : report.value ? (
        <Report address={report.value} />
      ) : (
        <div class="empty card">
          <h2>Not judged yet</h2>
          {service.facts.now !== undefined && (
            <p class="notice warn">
              This plant is live: its rows change between two requests, so checks that compare them end
              without a verdict. Start <code>bioprocess-sql serve</code> without <code>--live</code> to judge
              it.
            </p>
          )}
          <p>
            The suite sends some 390 requests to this server, with the variants and faults that are injected
            now. It waits once until a statement reaches the time limit, which is 30 seconds by default.
          </p>
        </div>
      )}
    </div>
  )
}

const OtherTarget = () => (
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
)

function ProgressView({ progress: { total, outcomes } }: { progress: Progress }) {
  const failed = [...outcomes].filter(([, outcome]) => outcome === 'fail' || outcome === 'error')
  return (
    <section class="card" aria-label="Progress of the suite">
      <div class="body stack">
        <p class="row">
          <strong role="status">
            {total === 0 ? 'Starting …' : `${Math.min(outcomes.size, total)} of ${total} checks`}
          </strong>
          {failed.length > 0 && <span class="badge bad">{failed.length} failed</span>}
        </p>
        <progress aria-label="Checks" max={total || 1} value={outcomes.size} />
      </div>
    </section>
  )
}

/** The report is text of the judged service, so its frame may do nothing. */
function Report({ address }: { address: string }) {
  return (
    <section class="card" aria-label="Report">
      <header>
        <h2 class="grow">The report of the last run</h2>
        <a class="button" href={address} target="_blank" rel="noopener">
          Open in a new tab
        </a>
        <a class="button" href={address} download="report.html">
          Save
        </a>
      </header>
      <iframe class="report" title="Report of the suite" sandbox="" src={address} />
    </section>
  )
}

import { useEffect } from 'preact/hooks'
import { Armed } from './armed.tsx'
import { Ask } from './ask/ask.tsx'
import { Door } from './door.tsx'
import { lazy } from './parts/lazy.tsx'
import { toast } from './parts/copy.ts'
import { nextTheme, theme } from './parts/theme.ts'
import { type Connection, connection } from './service/connect.ts'
import { readControls } from './service/control.ts'
import { follow } from './service/follow.ts'
import { followRequests } from './service/requests.ts'
import { hashOf, route, type Tab, tabs } from './service/route.ts'
import type { Service } from './service/service.ts'
import { TokenButton } from './token-button.tsx'

const names: Readonly<Record<Tab, string>> = {
  ask: 'Ask',
  plot: 'Plot',
  traffic: 'Traffic',
  contract: 'Contract',
  judge: 'Judge',
}

const content = {
  ask: Ask,
  plot: lazy<{ service: Service }>(async () => (await import('./chart/plot.tsx')).Plot),
  traffic: lazy<{ service: Service }>(async () => (await import('./traffic/traffic.tsx')).Traffic),
  contract: lazy<{ service: Service }>(async () => (await import('./contract/contract.tsx')).ContractTab),
  judge: lazy<{ service: Service }>(async () => (await import('./judge/judge.tsx')).Judge),
}

const themeMarks = { system: '◐', light: '☀', dark: '☾' }

/** The page: a bar of tabs, what is armed on the server, and one tab. */
export function App() {
  const now = connection.value
  const shown = shownTabs(now)
  const isShown = shown.includes(route.value.tab)
  const tab = isShown ? route.value.tab : 'ask'
  // the address of a tab that this service does not have, such as one from a bookmark
  useEffect(() => {
    if (!isShown) location.replace(hashOf('ask'))
  }, [isShown])
  return (
    <>
      <header class="top">
        <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
          Skip to the content
        </button>
        <h1 class="brand">
          <Mark />
          <span>
            Bioprocess SQL <span class="muted">console</span>
          </span>
        </h1>
        <nav class="tabs" aria-label="Tabs">
          {shown.map((name) => (
            <a key={name} href={hashOf(name)} aria-current={name === tab ? 'page' : undefined}>
              {names[name]}
            </a>
          ))}
        </nav>
        <div class="tools">
          {now.state === 'ready' && <TokenButton service={now.service} />}
          <button
            type="button"
            class="quiet"
            onClick={nextTheme}
            aria-label={`Theme: ${theme.value}. Change it.`}
            title={`Theme: ${theme.value}`}
          >
            <span aria-hidden="true">{themeMarks[theme.value]}</span>
          </button>
        </div>
      </header>
      {now.state === 'ready' ? <Ready service={now.service} tab={tab} /> : <Door connection={now} />}
      <div role="status">{toast.value && <p class="toast">{toast.value}</p>}</div>
    </>
  )
}

function Ready({ service, tab }: { service: Service; tab: Tab }) {
  useEffect(() => follow(() => readControls(service)), [service])
  useEffect(() => follow((signal) => followRequests(service, signal)), [service])
  const Content = content[tab]
  return (
    <>
      <Armed service={service} />
      <main aria-label={names[tab]} tabIndex={-1}>
        <Content key={tab} service={service} />
      </main>
    </>
  )
}

/** All tabs; the suite runs only on a server that was started by the command line. */
const shownTabs = (now: Connection): readonly Tab[] =>
  tabs.filter((tab) => tab !== 'judge' || now.state !== 'ready' || now.service.facts.judges)

function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M5 17c3 0 3-9 7-9s3 5 7 5"
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="2.2"
        stroke-linecap="round"
      />
    </svg>
  )
}

import { Button } from './parts/button.tsx'
import { useEffect } from 'preact/hooks'
import { Armed } from './armed.tsx'
import { Door } from './door.tsx'
import { lazy } from './parts/lazy.tsx'
import { toast } from './parts/copy.ts'
import { type Connection, connection } from './service/connect.ts'
import { readControls } from './service/control.ts'
import { follow } from './service/follow.ts'
import { failures, followRequests } from './service/requests.ts'
import { hashOf, hashOfTab, route, type Tab, tabs } from './service/route.ts'
import type { Service } from './service/service.ts'
import { Runs } from './runs.tsx'
import { showKeys, Shortcuts } from './shortcuts.tsx'
import { statementToken } from './service/tokens.ts'
import { ServiceState, tokenText } from './service-state.tsx'
import { asksForToken } from './parts/give-token.tsx'
import { type Items, Menu } from './parts/menu.tsx'

const nameOf = (tab: Tab): string => tab[0]!.toUpperCase() + tab.slice(1)

const content = {
  runs: Runs,
  ask: lazy<{ service: Service }>(async () => (await import('./ask/ask.tsx')).Ask),
  plot: lazy<{ service: Service }>(async () => (await import('./chart/plot.tsx')).Plot),
  traffic: lazy<{ service: Service }>(async () => (await import('./traffic/traffic.tsx')).Traffic),
  contract: lazy<{ service: Service }>(async () => (await import('./contract/contract.tsx')).ContractTab),
  judge: lazy<{ service: Service }>(async () => (await import('./judge/judge.tsx')).Judge),
}

/** What is about the page, and not about the data. */
const menuOf = (now: Connection): Items => [
  ['Keys', showKeys],
  ...(now.state === 'ready' && now.service.kind === 'server'
    ? [[tokenText(now.service), () => (asksForToken.value = true)] as const]
    : []),
]

/** The page: a bar of tabs, what is armed on the server, and one tab. */
export function App() {
  const now = connection.value
  const shown = shownTabs(now)
  const isShown = shown.includes(route.value.tab)
  const tab = isShown ? route.value.tab : 'runs'
  // the address of a tab that this service does not have, such as one from a bookmark
  useEffect(() => {
    if (!isShown) location.replace(hashOf('runs'))
  }, [isShown])
  return (
    <>
      <header class="top">
        <Button class="skip" text="Skip to the content" act={() => document.querySelector('main')?.focus()} />
        <h1 class="brand">
          <img src={document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href} alt="" />
          <span>
            Bioprocess SQL <span class="muted">console</span>
          </span>
        </h1>
        <nav class="tabs" aria-label="Tabs">
          {shown.map((name) => (
            <a key={name} href={hashOfTab(name)} aria-current={name === tab ? 'page' : undefined}>
              {nameOf(name)}
              {name === 'traffic' && failures.value.length > 0 && (
                <span class="badge bad">
                  {failures.value.length} <span class="hidden-label">failed requests</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <div class="tools">
          {now.state === 'ready' && <ServiceState service={now.service} />}
          <Menu label="Menu" items={menuOf(now)} />
          <Shortcuts />
        </div>
      </header>
      {now.state === 'ready' ? <Ready service={now.service} tab={tab} /> : <Door connection={now} />}
      <div role="status">{toast.value && <p class="toast">{toast.value}</p>}</div>
    </>
  )
}

/** Some tabs have nothing without a token that the server does not tell. */
const withoutToken = {
  state: 'refused',
  message: 'This server has a token of its own. It stays in this browser tab.',
  asks: statementToken,
} as const

function Ready({ service, tab }: { service: Service; tab: Tab }) {
  useEffect(() => follow(() => readControls(service)), [service])
  useEffect(() => follow((signal) => followRequests(service, signal)), [service])
  const Content = content[tab]
  const isOpen = service.token !== undefined || service.kind === 'playground' || !/runs|ask|plot/.test(tab)
  return (
    <>
      <Armed service={service} />
      {isOpen ? (
        <main aria-label={nameOf(tab)} tabIndex={-1}>
          <Content key={tab} service={service} />
        </main>
      ) : (
        <Door connection={withoutToken} />
      )}
    </>
  )
}

/** All tabs; the suite runs only on a server that was started by the command line. */
const shownTabs = (now: Connection): readonly Tab[] =>
  tabs.filter((tab) => tab !== 'judge' || now.state !== 'ready' || now.service.facts.judges)

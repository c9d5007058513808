import { effect, signal } from '@preact/signals'

export const tabs = ['runs', 'ask', 'plot', 'traffic', 'contract', 'judge'] as const
export type Tab = (typeof tabs)[number]
/** What a tab shows, such as its filter. */
export type Params = Readonly<Record<string, string | undefined>>

/** Where the page is: a tab and its parameters. It stands in the fragment of the address, which is sent nowhere. */
export interface Route {
  readonly tab: Tab
  readonly params: Params
  /** Whether the tab noted it itself; else it came from a link, the history or the user. */
  readonly isNoted: boolean
}

/** Reads `#plot?runs=a&align=feed`. An unknown tab is the first one. */
export function parseRoute(hash: string, isNoted = false): Route {
  const [name, query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const tab = tabs.find((tab) => tab === name) ?? tabs[0]
  return { tab, params: Object.fromEntries(new URLSearchParams(query)), isNoted }
}

/** The fragment of a route; parameters without a value are left out. */
export function hashOf(tab: Tab, params: Params = {}): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const query = new URLSearchParams(given as [string, string][]).toString()
  return `#${tab}${query && `?${query}`}`
}

/** The fragment in the address, and a newer one: browsers refuse many changes in a short time. */
let written = location.hash
let newer: string | undefined
let writtenAt = 0
let writing: ReturnType<typeof setTimeout> | undefined
export const route = signal(parseRoute(written))
addEventListener('hashchange', () => {
  newer = undefined
  written = location.hash
  route.value = parseRoute(written)
})
// a link may leave this entry of the history
addEventListener('click', flush, true)

function flush(): void {
  clearTimeout(writing)
  if (newer !== undefined && location.hash === written) write(newer, 'replaceState')
}

function write(hash: string, how: 'replaceState' | 'pushState'): void {
  history[how](null, '', hash)
  newer = undefined
  written = location.hash
  writtenAt = performance.now()
}

/** Each tab as it was left, where its link leads. */
const left = new Map<Tab, Params>()
effect(() => void left.set(route.value.tab, route.value.params))
export const hashOfTab = (tab: Tab): string => hashOf(tab, left.get(tab))

/**
 * Notes the state of a tab in the address. An address that the user has changed meanwhile wins: its event may still be on its way.
 *
 * @param entry whether it replaces the entry in the history of the browser, or is another one
 */
export function note(tab: Tab, params: Params, entry: 'same' | 'another' = 'same'): void {
  const hash = hashOf(tab, params)
  if (location.hash !== written || route.value.tab !== tab || hash === hashOfTab(tab)) return
  if (entry === 'another') {
    flush()
    write(hash, 'pushState')
  } else {
    newer = hash
    clearTimeout(writing)
    writing = setTimeout(flush, Math.max(0, writtenAt + 300 - performance.now()))
  }
  route.value = parseRoute(hash, true)
}

/** Changes some parameters of the tab that is shown, in the same entry of the history or in another one. */
export const change = (params: Params, entry?: 'same' | 'another'): void =>
  note(route.value.tab, { ...route.value.params, ...params }, entry)

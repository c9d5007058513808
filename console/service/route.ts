import { signal } from '@preact/signals'

export const tabs = ['ask', 'plot', 'traffic', 'contract', 'judge'] as const
export type Tab = (typeof tabs)[number]

/** Where the page is: a tab and its parameters. It stands in the fragment of the address, which is sent nowhere. */
export interface Route {
  readonly tab: Tab
  readonly params: Readonly<Record<string, string>>
}

/** Reads `#plot?runs=a&align=feed`. An unknown tab is the first one. */
export function parseRoute(hash: string): Route {
  const [name, query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const tab = tabs.find((tab) => tab === name) ?? 'ask'
  return { tab, params: Object.fromEntries(new URLSearchParams(query)) }
}

/** The fragment of a route; parameters without a value are left out. */
export function hashOf(tab: Tab, params: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const query = new URLSearchParams(given as [string, string][]).toString()
  return `#${tab}${query && `?${query}`}`
}

/** The fragment that {@link route} was read from. */
let read = location.hash
export const route = signal(parseRoute(read))
addEventListener('hashchange', () => {
  read = location.hash
  route.value = parseRoute(read)
})

/**
 * Notes the state of a tab in the address. An address that the user has changed meanwhile wins: its event may still be on its way.
 *
 * @param entry whether it replaces the entry in the history of the browser, or is another one
 */
export function note(
  tab: Tab,
  params: Readonly<Record<string, string | undefined>>,
  entry: 'same' | 'another' = 'same',
): void {
  const hash = hashOf(tab, params)
  if (location.hash !== read || route.value.tab !== tab || hash === read) return
  if (entry === 'same') history.replaceState(null, '', hash)
  else history.pushState(null, '', hash)
  read = location.hash
  route.value = parseRoute(read)
}

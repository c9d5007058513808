import { AsyncLocalStorage } from 'node:async_hooks'

/** The header with the check that a request belongs to, so that an operator finds it in a log. */
export const CHECK_HEADER = 'X-Conformance-Check'

/** What the header says of a request that belongs to no check, such as the first one. */
const NO_CHECK = 'suite'

const asking = new AsyncLocalStorage<string>()

/**
 * Runs `work`; its requests name the check or the open point `id`. A request whose reply several checks share names the first.
 */
export const askingFor = <T>(id: string, work: () => Promise<T>): Promise<T> => asking.run(id, work)

/** The User-Agent of the suite; `version` is that of the package. */
export const userAgent = (version: string): string => `bioprocess-sql-contract/${version} (+conformance)`

/**
 * The headers by which an operator recognises a request. They are not part of the evidence, so that a `curl` command keeps only
 * what a reply depends on.
 *
 * @param agent the User-Agent; undefined for no header at all
 * @param given headers of the request, in any letter case; they take precedence
 */
export function identityHeaders(
  agent: string | undefined,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  if (agent === undefined) return {}
  const own = { 'User-Agent': agent, [CHECK_HEADER]: asking.getStore() ?? NO_CHECK }
  const taken = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(own).filter(([name]) => !taken.has(name.toLowerCase())))
}

import { parseBaseUrl } from '../../conformance/index.ts'
import { identityHeaders, userAgent } from '../../conformance/connection/http/identity.ts'
import { contract } from '../../schemas/contract.ts'
import { sleep } from '../../base/until-aborted.ts'
import { version } from '../package.ts'

/** Between two requests, and for one of them, in milliseconds. */
const [PAUSE_MS, REQUEST_MS] = [500, 5000]

/** What a gateway answers while the service behind it does not run. */
const NOT_YET = [502, 503, 504]

export interface AwaitedTarget {
  baseUrl: string
  fetch?: typeof fetch
  /** Additional headers, for gateways. */
  headers?: Record<string, string> | undefined
  anonymous?: boolean | undefined
}

/**
 * Asks the endpoint with GET until it answers with any status but those of a gateway without a service. No statement is sent.
 *
 * @param ms longest wait, in milliseconds
 * @returns what it waited for in vain, as a sentence; undefined if the target answers
 */
export async function waitForTarget(
  target: AwaitedTarget,
  ms: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = parseBaseUrl(target.baseUrl) + contract.endpoint.path
  const { headers = {}, anonymous = false, fetch: send = fetch } = target
  const identity = identityHeaders(anonymous ? undefined : userAgent(version), headers)
  const ask = (signal: AbortSignal) =>
    send(url, { headers: { ...identity, ...headers }, redirect: 'manual', signal })
  const end = performance.now() + ms
  for (;;) {
    const reason = await whySilent(ask, end - performance.now())
    if (reason === undefined || signal.aborted) return undefined
    if (performance.now() + PAUSE_MS >= end)
      return `Waited ${ms / 1000} s for an answer of ${url} (${reason}). Start the service, or give --wait more time.`
    await sleep(PAUSE_MS, signal).catch(() => {})
  }
}

async function whySilent(
  ask: (signal: AbortSignal) => Promise<Response>,
  left: number,
): Promise<string | undefined> {
  try {
    const timeout = Math.ceil(Math.max(1, Math.min(REQUEST_MS, left)))
    const response = await ask(AbortSignal.timeout(timeout))
    await response.body?.cancel()
    return NOT_YET.includes(response.status) ? `HTTP ${response.status}` : undefined
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    return name === 'TimeoutError' ? 'no response' : (cause?.code ?? cause?.message ?? message)
  }
}

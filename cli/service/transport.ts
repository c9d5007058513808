import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import { proxyClient } from './proxy-client.ts'
import type { TargetOptions } from './target-options.ts'

type Fetch = typeof fetch

/**
 * A `fetch` that trusts the authorities of `--ca` and uses `--proxy`, or else the proxies of HTTPS_PROXY, HTTP_PROXY and
 * NO_PROXY. Returns undefined if none of them is set: the global `fetch` suffices.
 *
 * @throws CommandError if the file or the URL is unusable
 */
export async function transportOf({
  ca,
  proxy,
}: Pick<TargetOptions, 'ca' | 'proxy'>): Promise<Fetch | undefined> {
  const fromEnvironment = ['https_proxy', 'http_proxy'].some(
    (name) => process.env[name] || process.env[name.toUpperCase()],
  )
  if (ca === undefined && proxy === undefined && !fromEnvironment) return undefined
  const tls = ca === undefined ? {} : { ca: await authorities(ca) }
  // --proxy applies to every host; without it, the agent reads the environment
  const proxies = proxy === undefined ? {} : { httpProxy: checked(proxy), httpsProxy: proxy, noProxy: '' }
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const clientFactory = await proxyClient(proxy)
  const dispatcher = new EnvHttpProxyAgent({
    ...proxies,
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
    clientFactory,
  })
  const send = (url: string, init: object) => fetch(url, { ...init, dispatcher })
  return send as unknown as Fetch
}

/** The built-in authorities and those of a PEM file. @throws CommandError if it holds no certificate */
async function authorities(file: string): Promise<string[]> {
  const text = readInput('file of --ca', file)
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CommandError(
      `${file} holds no certificate. Give --ca a PEM file: it begins with -----BEGIN CERTIFICATE-----.`,
      EXIT.usage,
    )
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, text]
}

function checked(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new CommandError(
    'The value of --proxy is not a proxy URL. Give it a scheme and a port, such as http://127.0.0.1:3128.',
    EXIT.usage,
  )
}

import { readFileSync } from 'node:fs'
import { CommandError, EXIT } from './exit.ts'

type Fetch = typeof fetch

export interface TransportFlags {
  /** File with certificates of certificate authorities that are trusted beside the usual ones. */
  ca?: string
  proxy?: string
}

/**
 * A `fetch` that trusts the authorities of `--ca` and goes through `--proxy`, or through what HTTPS_PROXY and
 * HTTP_PROXY name, NO_PROXY aside; undefined where nothing asks for one, as the global fetch will do.
 *
 * @throws CommandError when the file or the URL is of no use.
 */
export async function transportOf({ ca, proxy }: TransportFlags): Promise<Fetch | undefined> {
  const fromEnvironment = ['https_proxy', 'http_proxy'].some(
    (name) => process.env[name] || process.env[name.toUpperCase()],
  )
  if (ca === undefined && proxy === undefined && !fromEnvironment) return undefined
  const tls = ca === undefined ? {} : { ca: await authorities(ca) }
  // A proxy that is asked for by a flag is used for every host; without one the agent reads the environment.
  const proxies = proxy === undefined ? {} : { httpProxy: checked(proxy), httpsProxy: proxy, noProxy: '' }
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, connect: tls, requestTls: tls, proxyTls: tls })
  const send = (url: string, init: object) => fetch(url, { ...init, dispatcher })
  return send as unknown as Fetch
}

/** The usual authorities and those in a file. */
async function authorities(file: string): Promise<string[]> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(`The file of --ca, ${file}, can not be read. Check the path.`, EXIT.usage)
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CommandError(
      `${file} holds no certificate. --ca takes a PEM file: it begins with -----BEGIN CERTIFICATE-----.`,
      EXIT.usage,
    )
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, text]
}

function checked(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new CommandError(
    `"${text}" is no proxy. Write --proxy with its scheme and port, for instance http://127.0.0.1:3128.`,
    EXIT.usage,
  )
}

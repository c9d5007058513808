import type { Dispatcher } from 'undici'

/** Where a proxy may come from, the strongest first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/**
 * How undici makes its client of a proxy. A proxy that cannot be reached or refuses is named in the error, since undici gives the
 * error of a service that cannot be reached, or none.
 *
 * @param option the value of `--proxy`
 */
export async function proxyClient(option: string | undefined) {
  const { Pool } = await import('undici')
  return (origin: URL, options: object): Dispatcher => {
    const pool = new Pool(origin, options)
    const connect = pool.connect.bind(pool) as (
      tunnel: Dispatcher.ConnectOptions,
    ) => Promise<Dispatcher.ConnectData>
    const failed = (reason: string) => {
      const setting = option === undefined ? variableOf(origin) : '--proxy'
      return new Error(`the proxy ${origin.host} ${reason}; correct ${setting}, or ask who runs the proxy`)
    }
    const tunnel = async (asked: Dispatcher.ConnectOptions) => {
      const answer = await connect(asked).catch((error: NodeJS.ErrnoException) => {
        throw error.name === 'AbortError'
          ? error
          : failed(`cannot be reached (${error.code ?? error.message})`)
      })
      if (answer.statusCode === 200) return answer
      answer.socket.on('error', () => {}).destroy()
      throw failed(`refused to connect (HTTP ${answer.statusCode})`)
    }
    return Object.assign(pool, { connect: tunnel })
  }
}

const variableOf = ({ host }: URL): string =>
  VARIABLES.find((name) => {
    const value = process.env[name] ?? ''
    return URL.canParse(value) && new URL(value).host === host
  }) ?? 'HTTP_PROXY'

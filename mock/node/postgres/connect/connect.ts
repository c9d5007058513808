import type { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseError, explainConnectError } from '../errors.ts'
import type { HostAddress } from './address.ts'
import { GuardedConnection } from './guarded-connection.ts'
import type { Encryption } from './tls.ts'

/** SQLSTATE of a server without a free connection. */
const tooManyConnections = '53300'

/**
 * Opens a connection to the first host that can be used. A host without a free connection is not passed over.
 *
 * @param accept looks at a host over the new connection, and throws if it cannot be used
 * @param failures takes a sentence for each host that cannot be used, by its name
 * @throws DatabaseError with these sentences if there is none
 */
export async function connectToFirst<Accepted>(
  addresses: readonly HostAddress[],
  accept: (client: pg.Client, host: string) => Promise<Accepted>,
  failures = new Map<string, string>(),
): Promise<{ client: pg.Client; address: HostAddress; accepted: Accepted }> {
  for (const address of addresses) {
    let client: pg.Client | undefined
    try {
      client = await connect(address)
      return { client, address, accepted: await accept(client, address.name) }
    } catch (error) {
      if (client) destroy(client)
      failures.set(address.name, explainConnectError(address.name, error))
      if ((error as { code?: string }).code === tooManyConnections) break
    }
  }
  throw new DatabaseError([...failures.values()].join(' '))
}

/**
 * Opens a connection to a host: address, TLS and authentication are those of `pg`. As libpq does, it tries the next way that
 * `sslmode` permits if the encryption may be the reason of a failure.
 *
 * @throws the error of `pg`, see explainConnectError
 */
export async function connect({ config, encryptions }: HostAddress): Promise<pg.Client> {
  for (const [index, ssl] of encryptions.entries()) {
    try {
      return await open(config, ssl)
    } catch (error) {
      if (index === encryptions.length - 1 || !mayBeEncryption(error as Error)) throw error
    }
  }
  throw new Error('There is no way to connect.')
}

async function open(config: pg.ClientConfig, ssl: Encryption): Promise<pg.Client> {
  const options = { ...config, ssl, connection: new GuardedConnection({ ssl, keepAlive: true }) }
  const client = new pg.Client(options)
  // an error after the connection has failed must not end the process
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    // `pg` leaves it open where it fails itself, as without a password, and the server may keep it for a minute
    destroy(client)
    throw error
  }
}

/** A server without TLS, a handshake that failed, or a pg_hba.conf that accepts only the other way (SQLSTATE 28000). */
const mayBeEncryption = ({ code, message }: Error & { code?: string }): boolean =>
  /SSL/.test(message) || /^(28000|EPROTO|ERR_SSL.*|ERR_TLS.*)$/.test(code ?? '')

/** The socket of a connection, which `pg` hides from its types. */
export const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream

/** Ends a connection without a word to its server, which may be silent. */
export const destroy = (client: pg.Client): void => void socketOf(client).destroy()

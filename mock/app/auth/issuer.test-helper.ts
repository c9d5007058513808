import { createServer, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'

export const issuer = 'https://login.example.org'
export const audience = 'sql'

/** A second in 2026, so that tests need no clock. */
export const now = 1_770_000_000

/** A key of an identity provider that is none of ours. */
export interface Key {
  readonly jwk: JWK
  /** Signs claims that are right in everything `claims` does not change; undefined leaves one out. */
  sign(claims?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>
}

export async function createKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg },
    sign: (claims, header) =>
      new SignJWT({ iss: issuer, aud: audience, sub: 'somebody', exp: now + 600, ...claims })
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey),
  }
}

/** A text as a part of a JWT. */
export const base64url = (text: string): string => Buffer.from(text).toString('base64url')

export interface KeyServer {
  readonly url: string
  /** What is published from now on: keys, a text that is none, whatever a function sends, or nothing, ever. */
  published: readonly Key[] | string | ((outgoing: ServerResponse) => unknown) | undefined
  /** How often the keys were asked for. */
  asked: number
  close(): void
}

/** Publishes keys on a socket. */
export async function servePublicKeys(...keys: readonly Key[]): Promise<KeyServer> {
  const server: Server = createServer((_, outgoing) => {
    served.asked += 1
    const { published } = served
    if (published === undefined) return
    if (typeof published === 'function') return void published(outgoing)
    const body =
      typeof published === 'string' ? published : JSON.stringify({ keys: published.map(({ jwk }) => jwk) })
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const served: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    published: keys,
    asked: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return served
}

import { Hono } from 'hono'
import { answerWhole, errorEnvelope, toResponse } from '../answer/answer.ts'
import type { Settings } from '../../open-points/settings.ts'
import { whyNoTokens } from '../../open-points/auth/mode.ts'
import { Refusal } from '../answer/refusal.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { authenticateClient, type OAuthClient, OAuthError, readForm, secondsOf } from './token-request.ts'

export interface ProviderOptions {
  /** The client that may get tokens. Default: every client with an id and a secret. */
  readonly client: OAuthClient | undefined
  /** Default lifetime of a token, in seconds. */
  readonly lifetimeSeconds: number
  /** The settings of a request. @throws Refusal */
  readonly settingsOf: (headers: Headers) => Settings
  readonly identity: Identity
}

/** Issues and checks the tokens. */
export type Identity = () => Promise<IdentityProvider>

/** An identity that creates its key and loads the signing library with the first request. */
export function lazyIdentity(now = Date.now): Identity {
  let provider: Promise<IdentityProvider> | undefined
  return () =>
    (provider ??= import('./identity-provider.ts').then(({ IdentityProvider }) =>
      IdentityProvider.create(now),
    ))
}

/** The server's own identity provider, and its part of the application. */
export interface Provider {
  /** Rejects for a token of another provider, or an invalid one. */
  verify(token: string): Promise<void>
  /** The routes below `/_mock/`. They answer 404 if `auth.mode` lets the server issue no tokens. */
  readonly routes: Hono
}

/** The only grant: client credentials (RFC 6749, 4.4). */
const grantType = 'client_credentials'

/** An identity provider for development. */
export function createProvider(options: ProviderOptions): Provider {
  const { client, lifetimeSeconds, settingsOf, identity } = options
  const routes = new Hono()
  routes.onError((error) => {
    if (error instanceof OAuthError) return error.response()
    if (error instanceof Refusal) return toResponse(errorEnvelope(error.status, error.message, error.headers))
    throw error
  })
  for (const path of ['/token', '/authorize', '/.well-known/*'])
    routes.use(path, async (c, next) => {
      const reason = whyNoTokens(settingsOf(c.req.raw.headers))
      if (reason !== undefined) throw new Refusal(404, reason)
      return next()
    })

  routes.post('/token', async (c) => {
    const request = c.req.raw
    const form = await readForm(request)
    const clientId = authenticateClient(request.headers, form, client)
    if (form.get('grant_type') !== grantType)
      throw new OAuthError('unsupported_grant_type', `grant_type has to be ${grantType}.`)
    const expiresIn = secondsOf(form, 'expires_in') ?? lifetimeSeconds
    const scope = form.get('scope')
    const token = await (
      await identity()
    ).issue({
      issuer: `${new URL(request.url).origin}/_mock`,
      clientId,
      scope,
      expiresIn,
      notBefore: secondsOf(form, 'not_before'),
      audience: form.get('audience'),
      foreignIssuer: form.get('issuer'),
    })
    return json({ access_token: token, token_type: 'Bearer', expires_in: Math.max(expiresIn, 0), scope })
  })

  routes.get('/.well-known/jwks.json', async () => json((await identity()).jwks()))
  return { routes, verify: async (token) => (await identity()).verify(token) }
}

const json = (value: unknown): Response => toResponse(answerWhole(200, JSON.stringify(value)))

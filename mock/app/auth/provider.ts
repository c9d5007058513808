import { Hono } from 'hono'
import { type AdminAccess, adminGuard } from '../admin/guard.ts'
import { answerWhole, errorEnvelope, toResponse } from '../answer.ts'
import type { Settings } from '../settings.ts'
import { authGrant, type Grant } from '../../open-points/auth/mode.ts'
import { Refusal } from '../refusal.ts'
import { readShortBody } from '../short-body.ts'
import { AuthorizationCodes } from './authorization-codes.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { OAuthError } from './oauth-error.ts'
import { metadata } from './provider-metadata.ts'
import { authenticateClient, type OAuthClient, parameters, readForm, secondsOf } from './token-request.ts'

export interface ProviderOptions {
  /** The client that may get tokens. Default: every client with an id and a secret. */
  readonly client: OAuthClient | undefined
  /** Default lifetime of a token, in seconds. */
  readonly lifetimeSeconds: number
  /** Access to the rotation of the key; false: none. */
  readonly admin: AdminAccess | false
  /** The settings of a request. @throws Refusal */
  readonly settingsOf: (headers: Headers) => Settings
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The server's own identity provider, and its part of the application. */
export interface Provider {
  /** Rejects for a token of another provider, or an invalid one. */
  verify(token: string): Promise<void>
  /** The routes below `/_mock/`. They answer 404 if `auth.mode` lets the server issue no tokens. */
  readonly routes: Hono
}

/** Only pages of this machine get a code. */
const loopbackPage = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?]|$)/

/** An identity provider for development; creates its keys and loads the signing library with the first request. */
export function createProvider(options: ProviderOptions): Provider {
  const { client, lifetimeSeconds, admin, settingsOf, now } = options
  let provider: Promise<IdentityProvider> | undefined
  const own = () =>
    (provider ??= import('./identity-provider.ts').then(({ IdentityProvider }) =>
      IdentityProvider.create(now),
    ))
  const codes = new AuthorizationCodes(now, async (id) => (await own()).revoke(id))

  const routes = new Hono<{ Variables: { grant: Grant } }>()
  routes.onError((error) => {
    if (error instanceof OAuthError) return error.response()
    if (error instanceof Refusal) return toResponse(errorEnvelope(error.status, error.message, error.headers))
    throw error
  })
  for (const path of ['/token', '/authorize', '/jwks', '/jwks/rotate', '/.well-known/*'])
    routes.use(path, async (c, next) => {
      const grant = authGrant(settingsOf(c.req.raw.headers))
      if (!grant)
        throw new Refusal(
          404,
          'This server issues no tokens. Start it with --variant auth.mode=client-credentials.',
        )
      c.set('grant', grant)
      return next()
    })

  routes.post('/token', async (c) => {
    const request = c.req.raw
    const form = await readForm(request)
    const clientId = authenticateClient(request.headers, form, client)
    const { type, needsCode } = c.var.grant
    if (form.get('grant_type') !== type)
      throw new OAuthError('unsupported_grant_type', `grant_type has to be ${type}.`)
    const redeemed = needsCode ? await codes.redeem(form, clientId) : undefined
    const expiresIn = secondsOf(form, 'expires_in') ?? lifetimeSeconds
    const scope = redeemed?.scope ?? form.get('scope')
    const token = await (
      await own()
    ).issue({
      id: redeemed?.id,
      issuer: issuerOf(request),
      subject: redeemed ? 'developer' : clientId,
      clientId,
      scope,
      expiresIn,
      notBefore: secondsOf(form, 'not_before'),
      audience: form.get('audience'),
      foreignIssuer: form.get('issuer'),
    })
    return json({ access_token: token, token_type: 'Bearer', expires_in: Math.max(expiresIn, 0), scope })
  })

  routes.get('/authorize', async (c) => {
    if (!c.var.grant.needsCode)
      throw new OAuthError('invalid_request', `This server only supports the grant ${c.var.grant.type}.`)
    const query = parameters(new URL(c.req.url).searchParams)
    const target = query.get('redirect_uri') ?? ''
    if (client && query.get('client_id') !== client.id)
      throw new OAuthError('invalid_request', 'There is no such client.')
    if (!loopbackPage.test(target) || !URL.canParse(target))
      throw new OAuthError('invalid_request', 'redirect_uri has to be an address of this machine.')
    const answer = new URL(target)
    try {
      answer.searchParams.set('code', await codes.grant(query, target))
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      answer.searchParams.set('error', error.code)
      answer.searchParams.set('error_description', error.message)
    }
    if (query.has('state')) answer.searchParams.set('state', query.get('state')!)
    answer.searchParams.set('iss', issuerOf(c.req.raw))
    return toResponse(answerWhole(302, '', { location: answer.href }))
  })

  const publish = async () => json((await own()).jwks())
  routes.get('/jwks', publish)
  routes.get('/.well-known/jwks.json', publish)
  routes.get('/.well-known/openid-configuration', (c) => json(metadata(issuerOf(c.req.raw), c.var.grant)))

  if (admin !== false)
    routes.post('/jwks/rotate', adminGuard(admin), async (c) => {
      const keepOld = asksToKeep(await readShortBody(c.req.raw))
      await (await own()).rotate(keepOld)
      return publish()
    })
  return { routes: routes as unknown as Hono, verify: async (token) => (await own()).verify(token) }
}

/** Whether tokens of earlier keys stay valid. @throws Refusal 400 */
function asksToKeep(body: string): boolean {
  if (body === '') return false
  let keepOld: unknown
  try {
    keepOld = (JSON.parse(body) as { keepOld?: unknown } | null)?.keepOld ?? false
  } catch {
    keepOld = undefined
  }
  if (typeof keepOld === 'boolean') return keepOld
  throw new Refusal(400, 'Send no body, or {"keepOld": true} to keep tokens of earlier keys valid.')
}

/** The address of the provider as the client wrote it. */
const issuerOf = ({ url }: { url: string }): string => `${new URL(url).origin}/_mock`

const json = (value: unknown): Response => toResponse(answerWhole(200, JSON.stringify(value)))

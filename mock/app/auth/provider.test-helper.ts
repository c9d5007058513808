import { beforeEach, expect } from 'vitest'
import type { AppOptions } from '../app.ts'
import { createSettings } from '../../open-points/settings.ts'
import { appOf, post } from '../request.test-helper.ts'

export const origin = 'http://localhost'
export const client = { id: 'app', secret: 'p:ss word' }
export const credentials = { client_id: client.id, client_secret: client.secret }
export const grant = { grant_type: 'client_credentials' }

/** The time of the applications, in milliseconds; the same at the start of each test. */
export const clock = { now: 0 }
beforeEach(() => {
  clock.now = Date.parse('2026-02-03T04:05:06Z')
})

/** An application with an identity provider, over an engine with one row. */
export const appWith = (mode: string, options: Partial<AppOptions> = {}) =>
  appOf(undefined, {
    settings: createSettings({ 'auth.mode': mode }),
    client,
    now: () => clock.now,
    ...options,
  })

export type App = ReturnType<typeof appOf>

/** Posts to the token endpoint. */
export const ask = (app: App, form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  app.fetch(
    new Request(`${origin}/_mock/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  )

/** An access token as ordered. */
export async function tokenOf(app: App, form: Record<string, string> = {}): Promise<string> {
  const response = await ask(app, { ...grant, ...credentials, ...form })
  const body = (await response.json()) as { access_token: string }
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.access_token
}

/** Sends a statement with a token. */
export async function use(app: App, token: string, variants = '') {
  const headers = { authorization: `Bearer ${token}`, 'x-mock-variant': variants }
  const response = await app.fetch(post({ headers }))
  const { status } = (await response.json()) as { status: { message: string } }
  return { code: response.status, message: status.message }
}

export const get = (app: App, path: string) => app.fetch(new Request(`${origin}/_mock/${path}`))

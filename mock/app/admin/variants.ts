import { Hono } from 'hono'
import { answerWhole, toResponse } from '../answer.ts'
import { UnknownVariant, type Variants } from '../settings.ts'
import { Refusal } from '../refusal.ts'
import { readShortBody } from '../short-body.ts'
import type { ServerSettings } from '../server-settings.ts'

/**
 * `/_mock/variants`: GET lists every setting, PUT replaces the variants set before with `{setting: variant}`, PATCH adds
 * to them, DELETE restores those of the start; POST `/next` with `{variants, count}` sets variants only for the next
 * statements: those with the same token if the request carries one, else those with any valid token. A request with any
 * error changes nothing.
 *
 * @param tokenOf the statement token of a request to these routes; rejects with a Refusal if the token is not valid, since
 *   variants for a mistyped token would wait for ever
 */
export function variantRoutes(
  serverSettings: ServerSettings,
  tokenOf: (headers: Headers) => Promise<string | undefined>,
): Hono {
  const routes = new Hono()
  const listing = () => json({ variants: serverSettings.describe(), next: serverSettings.upcoming })
  const changing =
    (change: (body: unknown, token: string | undefined) => void) => async (c: { req: { raw: Request } }) => {
      try {
        change(await readJson(c.req.raw), await tokenOf(c.req.raw.headers))
        return listing()
      } catch (error) {
        if (error instanceof UnknownVariant || error instanceof RangeError)
          throw new Refusal(400, error.message)
        throw error
      }
    }

  routes.get('/', listing)
  routes.put(
    '/',
    changing((body) => serverSettings.replace(variantsIn(body))),
  )
  routes.patch(
    '/',
    changing((body) => serverSettings.add(variantsIn(body))),
  )
  routes.delete('/', () => {
    serverSettings.reset()
    return listing()
  })
  routes.post(
    '/next',
    changing((body, token) => {
      const { variants, count = 1, ...rest } = isObject(body) ? body : {}
      if (variants === undefined || Object.keys(rest).length > 0)
        throw new Refusal(
          400,
          'Send {"variants": {"<setting>": "<variant>"}, "count": 1}; count may be left out.',
        )
      serverSettings.once(variantsIn(variants), count as number, token)
    }),
  )
  return routes
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function variantsIn(value: unknown): Variants {
  if (isObject(value) && Object.values(value).every((variant) => typeof variant === 'string'))
    return value as Variants
  throw new Refusal(
    400,
    'Send a JSON object with a variant for each setting, such as {"rows.shape": "array"}.',
  )
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readShortBody(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}

const json = (value: unknown): Response => toResponse(answerWhole(200, JSON.stringify(value)))

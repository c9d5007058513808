import { Hono } from 'hono'
import type { Variants } from '../../../open-points/settings.ts'
import { isSetting } from '../../../../schemas/open-points.ts'
import { Refusal } from '../../answer/refusal.ts'
import type { ServerSettings } from '../../server-settings.ts'
import { isObject, json, readJson, type SessionOf } from '../routes.ts'

/**
 * `/_mock/variants`: GET lists every setting, PUT replaces the variants set before with `{setting: variant}`, PATCH adds
 * to them, DELETE restores those of the start, or one by `?setting=`; POST `/next` with `{variants, count}` sets variants only for the next
 * statements: those with the same token if the request carries one, else those with any valid token. A request with any
 * error changes nothing.
 *
 * @param tokenOf the statement token of a request to these routes; rejects with a Refusal if the token is not valid, since
 *   variants for a mistyped token would wait for ever
 */
export function variantRoutes(
  sessionOf: SessionOf,
  tokenOf: (request: Request) => Promise<string | undefined>,
): Hono {
  const routes = new Hono()
  const changing =
    (change: (settings: ServerSettings, body: unknown, token: string | undefined) => void) =>
    async ({ req }: { req: { raw: Request } }) => {
      try {
        const [body, token] = [await readJson(req.raw), await tokenOf(req.raw)]
        const { settings } = sessionOf(req.raw)
        change(settings, body, token)
        return listing(settings)
      } catch (error) {
        if (error instanceof RangeError) throw new Refusal(400, error.message)
        throw error
      }
    }

  routes.get('/', ({ req }) => listing(sessionOf(req.raw).settings))
  routes.put(
    '/',
    changing((settings, body) => settings.replace(variantsIn(body))),
  )
  routes.patch(
    '/',
    changing((settings, body) => settings.add(variantsIn(body))),
  )
  routes.delete('/', ({ req }) => {
    const { settings } = sessionOf(req.raw)
    const only = req.query('setting')
    if (only !== undefined && !isSetting(only))
      throw new Refusal(
        400,
        `There is no setting ${JSON.stringify(only)}. Give the knob of one that GET lists.`,
      )
    settings.reset(only)
    return listing(settings)
  })
  routes.post(
    '/next',
    changing((settings, body, token) => {
      const { variants, count = 1, ...rest } = isObject(body) ? body : {}
      if (variants === undefined || Object.keys(rest).length > 0)
        throw new Refusal(
          400,
          'Send {"variants": {"<setting>": "<variant>"}, "count": 1}; count may be left out.',
        )
      settings.once(variantsIn(variants), count as number, token)
    }),
  )
  return routes
}

const listing = (settings: ServerSettings) => json({ variants: settings.describe(), next: settings.upcoming })

function variantsIn(value: unknown): Variants {
  if (isObject(value) && Object.values(value).every((variant) => typeof variant === 'string'))
    return value as Variants
  throw new Refusal(
    400,
    'Send a JSON object with a variant for each setting, such as {"rows.shape": "array"}.',
  )
}

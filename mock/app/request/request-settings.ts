import { contract } from '../../../schemas/contract.ts'
import { schemaAdditions } from '../../open-points/schema/extra.ts'
import type { RequestHeaders } from './call.ts'
import { Refusal } from '../answer/refusal.ts'
import { createSettings, splitVariants, type Settings, UnknownVariant } from '../../open-points/settings.ts'

/**
 * The variants of the header `X-Mock-Variant` on top of `base`.
 *
 * @throws Refusal 400 for an unknown variant, before `base` is called
 */
export function withHeader(headers: RequestHeaders, base: () => Settings): Settings {
  const header = headers.get('x-mock-variant')
  if (header === null) return base()
  try {
    const asked = splitVariants(header)
    createSettings(asked)
    return createSettings(asked, base())
  } catch (error) {
    throw error instanceof UnknownVariant ? new Refusal(400, error.message) : error
  }
}

/** The settings under the path of the next version. @throws Refusal 404 if the server has none */
export function inNextVersion(settings: Settings): Settings {
  const { inNextVersion: changed } = schemaAdditions(settings)
  if (changed) return createSettings(changed, settings)
  throw new Refusal(404, `There is nothing here. Statements are sent to ${contract.endpoint.path} with POST.`)
}

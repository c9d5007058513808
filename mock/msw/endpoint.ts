import { contract } from '../../schemas/contract.ts'
import { nextVersionPath } from '../app/request/call.ts'

/** msw matches a path without its trailing slash in both forms; which of them is served, the application decides. */
export const matchedPath = contract.endpoint.path.slice(0, -1)

/** The same in the version after the contract's. */
export const nextMatchedPath = nextVersionPath.slice(0, -1)

/** What msw is to match: the endpoint below a base URL, or below any. */
export const patternBelow = (base?: URL, path = matchedPath): string =>
  `${base?.href.replace(/\/$/, '') ?? '*'}${path}`

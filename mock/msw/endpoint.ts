import { contract } from '../../schemas/generated/contract.ts'

/** msw matches a path without its trailing slash in both forms; which of them is served, the application decides. */
export const matchedPath = contract.endpoint.path.slice(0, -1)

/** What msw is to match: the endpoint below a base URL, or below any. */
export const patternBelow = (base?: URL): string => `${base?.href.replace(/\/$/, '') ?? '*'}${matchedPath}`

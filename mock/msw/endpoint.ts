import { contract } from '../../schemas/contract.ts'
import { nextVersionPath } from '../app/request/call.ts'

/** msw matches a path without its trailing slash in both forms; which of them is served, the application decides. */
export const matchedPath = contract.endpoint.path.slice(0, -1)

/** The same in the version after the contract's. */
export const nextMatchedPath = nextVersionPath.slice(0, -1)

/** A base URL without the slash at its end. */
export const hrefOf = (base: URL): string => base.href.replace(/\/$/, '')

/** The base URLs that msw is to match: that of the mock and of its sessions, or any. */
export const basePatterns = (base?: URL): string[] =>
  base ? [hrefOf(base), `${hrefOf(base)}/s/:session`] : ['*']

/** The URL as the server gets it: at its root where any base URL is matched, and without the session that it names. */
export function servedUrl(url: string, base: URL | undefined): string {
  if (base && sessionInUrl(url, base) === undefined) return url
  const { pathname, search } = new URL(url)
  const at = Math.max(...[matchedPath, nextMatchedPath].map((path) => pathname.lastIndexOf(path)), 0)
  return `${base ? hrefOf(base) : 'http://localhost'}${pathname.slice(at)}${search}`
}

const sessionPath = new RegExp(`^(.*)/s/([\\w.-]{1,64})(?:${matchedPath}|${nextMatchedPath})/?$`)

/** The id that the end of a base URL names, as in `https://api.example.com/s/<id>`. */
export function sessionInUrl(url: string, base: URL | undefined): string | undefined {
  const [, path, id] = sessionPath.exec(new URL(url).pathname) ?? []
  return base === undefined || path === base.pathname.replace(/\/$/, '') ? id : undefined
}

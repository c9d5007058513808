import { contract } from '../../schemas/index.ts'
import { UsageError } from './usage-error.ts'

/**
 * The base URL without its trailing slash. It may have a path, for a gateway. It may be mistaken for a place of passwords and
 * tokens, so no message repeats it.
 * @example parseBaseUrl('https://data.example.org/plant-1/') // 'https://data.example.org/plant-1'
 * @throws UsageError when it is not an http(s) URL, or contains credentials, a query, a fragment or the path of the endpoint
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      'The base URL cannot be read. Write it with its scheme, for example https://example.org or http://127.0.0.1:4010.',
    )
  if (url.username || url.password)
    throw new UsageError(
      'The base URL contains a user name or password. Remove them and pass --token instead.',
    )
  if (url.search || url.hash)
    throw new UsageError('The base URL has a query or a fragment. Remove what follows the path.')
  const path = url.pathname.replace(/\/+$/, '')
  const endpoint = contract.endpoint.path.replace(/\/+$/, '')
  if (path.endsWith(endpoint))
    throw new UsageError(
      `The base URL already contains the path of the endpoint. Remove "${contract.endpoint.path}": ${url.origin}${path.slice(0, -endpoint.length)}`,
    )
  return url.origin + path
}

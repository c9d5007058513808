import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only } from '../reading.ts'

export const probe = defineProbe('http.headers', {
  read: async (t: Target): Promise<string[]> => {
    const { headers } = (await t.baseline()).exchange.response!
    return [
      ...(headers.get('content-encoding') === 'gzip' ? ['gzip'] : []),
      ...(headers.has('access-control-allow-origin') ? ['cors'] : []),
      ...(headers.has('etag') ? ['etag'] : []),
      ...(/\bno-store\b/.test(headers.get('cache-control') ?? '') ? ['no-store'] : []),
    ]
  },
  seen: (names) => names.join(', ') || 'none of them',
  variants: {
    none: (names) => names.length === 0,
    gzip: only('gzip'),
    cors: only('cors'),
    etag: only('etag'),
    'no-store': only('no-store'),
  },
})

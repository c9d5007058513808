import { noProbe } from '../probe.ts'

export const probe = noProbe(
  'auth.expired',
  'A token that has expired has to come from the identity provider; the suite has none.',
)

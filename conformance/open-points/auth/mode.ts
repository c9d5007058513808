import { noProbe } from '../probe.ts'

export const probe = noProbe(
  'auth.mode',
  'The token is handed to the suite, which does not see how it was obtained.',
)

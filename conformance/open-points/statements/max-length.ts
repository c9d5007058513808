import { noProbe } from '../probe.ts'

export const probe = noProbe(
  'statements.max-length',
  'It would take statements of up to 1 MiB, and some services break the connection off.',
)

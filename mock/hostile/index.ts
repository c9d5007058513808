import type { Hostile } from './hostile.ts'
import { overHttp } from './requests.ts'
import { resource } from './resource.ts'
import { sockets } from './sockets.ts'
import { sql } from './sql.ts'
import { text } from './text.ts'

export type { Hostile, HostileKind, HostileRequest, HostileSend, Outcome } from './hostile.ts'

/** The token that requests of the corpus carry, or nearly do. */
export const hostileToken = 'hostile-token'

/** Everything the server has to withstand, each entry with what must happen. */
export const corpus: readonly Hostile[] = [...sql, ...text, ...resource, ...overHttp, ...sockets]

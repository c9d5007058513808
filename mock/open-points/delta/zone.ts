import { implement } from '../implement.ts'
import { everyView, type ViewChanges } from '../view-change.ts'

/** How a date without a zone is compared with `last_updated_at`. */
export interface DeltaZone {
  /** The time zone of the session; undefined: UTC. */
  readonly sessionZone?: string
  readonly views?: ViewChanges
}

export const deltaZone = implement<'delta.zone', DeltaZone>('delta.zone', {
  utc: {},
  'session-zone': { sessionZone: 'America/New_York' },
  'text-comparison': {
    views: everyView(
      {
        columns: {
          last_updated_at: (own) =>
            `to_char(${own} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') COLLATE "C"`,
        },
      },
      'last_updated_at',
    ),
  },
})

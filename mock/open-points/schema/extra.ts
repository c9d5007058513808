import type { Settings } from '../../../schemas/open-points.ts'
import { implement } from '../implement.ts'
import { everyView, type ViewChanges } from '../view-change.ts'

/** Where additions to the schema appear. */
export interface Additions {
  readonly views?: ViewChanges
  /** Settings of the endpoint under the next version's path; undefined: there is no such path. */
  readonly inNextVersion?: Partial<Settings>
}

export const schemaAdditions = implement<'schema.extra', Additions>('schema.extra', {
  none: {},
  additive: { views: everyView({ columns: { site: () => `'Plant 1'::text` } }) },
  'new-version': { inNextVersion: { 'schema.extra': 'additive' } },
})

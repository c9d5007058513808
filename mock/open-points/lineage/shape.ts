import { changeViews, column } from '../view-change.ts'

const lineage = (json: string) => column('v_bioprocesses', 'lineage', () => json)

/** null where no lineage is recorded. */
const recorded = (json: string) => lineage(`CASE WHEN base.lineage IS NOT NULL THEN ${json} END`)

const parents = `jsonb_path_query_array(base.lineage, '$.parents[*].bioprocess_id')`

const children = `(SELECT coalesce(jsonb_agg(child.id), '[]') FROM plant.bioprocesses AS child
  WHERE child.lineage @> jsonb_build_object('parents',
    jsonb_build_array(jsonb_build_object('bioprocess_id', base.id))))`

/** Parents, their parents and so on, the nearest first. */
const ancestors = `(WITH RECURSIVE line(id, distance) AS (
    SELECT parent #>> '{}', 1 FROM jsonb_array_elements(${parents}) AS parent
    UNION
    SELECT parent #>> '{}', distance + 1 FROM line JOIN plant.bioprocesses AS older ON older.id = line.id,
      jsonb_path_query(older.lineage, '$.parents[*].bioprocess_id') AS parent WHERE distance < 100
  ) SELECT coalesce(jsonb_agg(id ORDER BY distance, id), '[]') FROM line)`

export const lineageShape = changeViews('lineage.shape', {
  'parents-generation': undefined,
  null: lineage('NULL::jsonb'),
  'parents-children': recorded(`jsonb_build_object('parents', ${parents}, 'children', ${children})`),
  'ancestor-ids': recorded(`jsonb_build_object('ancestor_ids', ${ancestors})`),
})

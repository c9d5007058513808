/** Delta loads and statements of analysts, divided as in ./expressions.ts; `@17 ` before a statement needs PostgreSQL 17 or later. */
export const usual = String.raw`
  SELECT * FROM v_bioprocesses WHERE last_updated_at > CAST('2025-12-01' AS varchar(10))::date
  | SELECT * FROM v_experiments WHERE last_updated_at > (SELECT max(last_updated_at) FROM v_experiments) - ('90' || ' days')::interval
  | SELECT * FROM v_timeseries WHERE last_updated_at BETWEEN ('2025-12-01' || '')::timestamptz AND ('2025-12-20' || ' 10:00+01')::timestamptz
  | SELECT bioprocess_id, max(last_updated_at) AS last FROM v_timeseries GROUP BY 1 HAVING max(last_updated_at) > '2025-12-01'::text::timestamptz
  | SELECT id, name FROM v_quantities WHERE id = ANY ('{59e4c052ce60b57f1116b7a8,59e4d56fe9542230c7e518f4}'::text::text[])
  | SELECT id FROM v_bioprocesses WHERE start_timestamp::time > ('10:00' || '')::time
  | SELECT * FROM v_quantities WHERE last_updated_at > '2018-01-01'
  | SELECT * FROM v_quantities WHERE last_updated_at > '2018-01-01T00:00:00Z' ORDER BY last_updated_at, id LIMIT 20
  | SELECT * FROM v_formulas WHERE last_updated_at >= to_timestamp('2018-01-01', 'YYYY-MM-DD')
  | SELECT * FROM v_formula_results WHERE last_updated_at > timestamptz '2025-12-31 00:00+01' - interval '14 days'
  | SELECT * FROM v_formula_results WHERE last_updated_at > date_trunc('month', '2025-12-16'::varchar::timestamptz)
  | SELECT * FROM v_bioprocess_quantity_data WHERE last_updated_at > (SELECT min(last_updated_at) FROM v_timeseries) AND value::text <> '""'
  | SELECT count(*) AS n FROM v_timeseries_data WHERE last_updated_at > ('{"since": "2025-12-10"}'::jsonb ->> 'since')::timestamptz
  | SELECT count(*) AS n FROM v_timeseries_data WHERE timestamp <@ ('[2025-12-10,' || '2025-12-20)')::tstzrange
  | SELECT count(*) AS n FROM v_timeseries_data WHERE timestamp >= make_date(2025, 12, 10) AND timestamp < date '2025-12-10' + 10
  | SELECT id FROM v_experiments WHERE last_updated_at > now() - ('100' || ' years')::interval
  | SELECT id FROM v_experiments WHERE last_updated_at::date IN ('2025-12-17', CAST('2025-11-07' AS text)::date)
  | SELECT id FROM v_experiments WHERE (last_updated_at, id) > ('2025-11-17 07:24:53.863882+00'::text::timestamptz, '68f0dcc841607053803f046d')
  | SELECT record_id, archived_at FROM v_archived_records WHERE archived_at > '2025-12-01'::varchar(10)::timestamp AND table_name <> 'events'
  | SELECT greatest(max(b.last_updated_at), max(t.last_updated_at)) AS since FROM v_bioprocesses b, v_timeseries t
  | SELECT 'v_formulas' AS view, max(last_updated_at) AS since FROM v_formulas UNION ALL SELECT 'v_quantities', max(last_updated_at) FROM v_quantities
  | SELECT id, state <> ALL (ARRAY['draft', NULL]) AS other FROM v_formulas WHERE notes IS NULL
  | SELECT id FROM v_formulas WHERE default_unit IS DISTINCT FROM NULLIF(run_phase, '') ORDER BY id
  | SELECT id FROM v_quantities WHERE molar_mass NOT IN (SELECT molar_mass FROM v_quantities WHERE molar_mass < 20)
  | SELECT id FROM v_bioprocesses WHERE parent_id NOT IN (SELECT parent_id FROM v_bioprocesses WHERE status = 'Failed')
  | SELECT id, coalesce(run_end_timestamp, end_timestamp) - run_start_timestamp AS took FROM v_bioprocesses ORDER BY 2 DESC NULLS LAST, 1
  | SELECT status, count(*) AS n, avg(duration_ms) / 3600000 AS hours, min(name COLLATE "C") AS first FROM v_bioprocesses GROUP BY status
  | SELECT date_trunc('week', start_timestamp, 'Europe/Berlin') AS week, count(*) FILTER (WHERE status = 'Completed') AS done FROM v_bioprocesses GROUP BY 1 ORDER BY 1
  | SELECT e.external_id, count(b.id) AS runs FROM v_experiments e LEFT JOIN v_bioprocesses b ON b.parent_id = e.id AND b.status <> 'Planned' GROUP BY e.id, e.external_id
  | SELECT e.id AS experiment, b.id AS run FROM v_experiments e FULL JOIN v_bioprocesses b ON b.parent_id = e.id
  | SELECT q.name, r.record_id FROM v_quantities q RIGHT JOIN v_archived_records r ON r.record_id = q.id AND r.table_name = 'quantities'
  | SELECT b.name, q.name AS quantity, d.value, d.unit FROM v_bioprocesses b JOIN v_bioprocess_quantity_data d ON d.bioprocess_id = b.id JOIN v_quantities q ON q.id = d.quantity_id
  | SELECT b.id, t.* FROM v_bioprocesses b LEFT JOIN LATERAL (SELECT id AS series, unit FROM v_timeseries WHERE bioprocess_id = b.id ORDER BY id LIMIT 2) t ON true
  | SELECT t.id, count(d.value) AS points, round(avg(d.value)::numeric, 4) AS mean FROM v_timeseries t LEFT JOIN v_timeseries_data d USING (id) GROUP BY t.id
  | SELECT id, timestamp, value - lag(value) OVER (PARTITION BY id ORDER BY timestamp) AS step FROM v_timeseries_data
  | SELECT id, timestamp, avg(value) OVER (PARTITION BY id ORDER BY timestamp RANGE BETWEEN '2 days' PRECEDING AND CURRENT ROW) AS mean FROM v_timeseries_data
  | SELECT DISTINCT ON (id) id, timestamp, value FROM v_timeseries_data WHERE value IS NOT NULL ORDER BY id, timestamp DESC
  | SELECT id, percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS median FROM v_timeseries_data GROUP BY id
  | SELECT date_bin(('12' || ' hours')::interval, timestamp, '2025-12-01') AS bin, count(*) AS n, max(value) AS top FROM v_timeseries_data GROUP BY 1 ORDER BY 1
  | SELECT s AS day, count(d.id) AS n FROM generate_series('2025-12-10'::text::timestamptz, '2025-12-20', '1 day') s LEFT JOIN v_timeseries_data d ON d.timestamp >= s AND d.timestamp < s + interval '1 day' GROUP BY s ORDER BY s
  | SELECT unit = 'g/L' AS sums, count(*) AS n FROM v_timeseries GROUP BY unit = 'g/L'
  | SELECT unit = '%' AS sums, count(*) AS n FROM v_timeseries GROUP BY unit = '%'
  | SELECT data_type, is_timeseries, count(*) AS n, grouping(data_type, is_timeseries) AS g FROM v_quantities GROUP BY ROLLUP (data_type, is_timeseries)
  | SELECT is_timeseries, default_unit, count(*) AS n FROM v_quantities GROUP BY CUBE (is_timeseries, default_unit) HAVING count(*) > 2
  | SELECT id, (statistics ->> 'max')::float8 AS top, statistics -> 'count' AS n FROM v_timeseries WHERE (statistics ->> 'count')::int > 1
  | SELECT b.id, e ->> 'type' AS type, (e ->> 'timestamp')::timestamptz AS at, e #>> '{volume,value}' AS volume FROM v_bioprocesses b, jsonb_array_elements(b.events) e
  | SELECT e ->> 'type' AS type, count(*) AS n, sum((e #>> '{volume,value}')::numeric) AS volume FROM v_bioprocesses, jsonb_array_elements(events) e GROUP BY 1
  | SELECT id, k.key, k.value FROM v_timeseries, jsonb_each(statistics) k WHERE jsonb_typeof(k.value) = 'null'
  | SELECT id, qc, qc ->> 'status' AS status FROM v_bioprocesses WHERE qc @> '{"status": "Fail"}' OR induction_event ? 'timestamp'
  | SELECT jsonb_object_agg(name, alternative_names ORDER BY id) AS names, jsonb_agg(molar_mass ORDER BY id) AS masses FROM v_quantities
  | SELECT id, jsonb_path_query_array(events, '$[*] ? (@.type == "DbAdditionEvent").volume.value') AS volumes FROM v_bioprocesses
  | SELECT f.id, p.n, p.value FROM v_formula_results f, jsonb_array_elements_text(f.timeseries -> 'data') WITH ORDINALITY p(value, n) WHERE f.timeseries IS NOT NULL
  | @17 SELECT b.id, j.* FROM v_bioprocesses b, JSON_TABLE(b.events, '$[*]' COLUMNS (type text PATH '$.type', volume numeric PATH '$.volume.value', at timestamptz PATH '$.timestamp')) j
  | @17 SELECT id, JSON_VALUE(qc, '$.status') AS status, JSON_QUERY(lineage, '$.*' WITH WRAPPER) AS lineage, JSON_EXISTS(events, '$[*].volume') AS moved FROM v_bioprocesses
  | SELECT name, alternative_names FROM v_quantities WHERE name ILIKE '%temp%' OR alternative_names ? 'dO2' OR name ~ '^(pH|DO)\y'
  | SELECT name, replace(name, 'ä', 'ae') AS plain, length(name) AS n FROM v_quantities WHERE name LIKE '%\%%' OR default_unit IN ('°C', E'\u00b5mol', U&'\00b0C')
  | SELECT string_agg(name, ', ' ORDER BY name COLLATE "C" DESC) AS names, array_agg(DISTINCT data_type ORDER BY data_type) AS types FROM v_quantities
  | SELECT CASE WHEN molar_mass > 100 THEN 'large' WHEN molar_mass IS NULL THEN NULL ELSE 'small' END AS size, count(*) AS n FROM v_quantities GROUP BY 1
  | WITH latest AS (SELECT bioprocess_id, max(end_timestamp) AS at FROM v_timeseries GROUP BY 1) SELECT b.name, l.at FROM v_bioprocesses b LEFT JOIN latest l ON l.bioprocess_id = b.id
  | WITH RECURSIVE days(day) AS (SELECT date '2025-12-10' UNION ALL SELECT day + 1 FROM days WHERE day < ('2025-12-' || 16)::date) SELECT day, to_char(day, 'FMDay DD') AS name FROM days
  | SELECT id FROM v_quantities EXCEPT (SELECT quantity_id FROM v_timeseries UNION SELECT quantity_id FROM v_bioprocess_quantity_data)
  | SELECT b.id FROM v_bioprocesses b WHERE EXISTS (SELECT 1 FROM v_timeseries t WHERE t.bioprocess_id = b.id AND t.unit = 'g/L') AND b.duration_ms > ALL (SELECT duration_ms FROM v_timeseries WHERE unit = 'bar')
  | SELECT 7 / 2 AS a, -7 % 3 AS b, 7 / 2.0 AS c, 0.1::float8 + 0.2 AS d, round(2.5) AS e, round(2.5::float8) AS f, 1e20::float8 AS g, 9223372036854775807 AS h
  | SELECT id, name FROM v_quantities WHERE to_tsvector('english', name) @@ plainto_tsquery('english', 'temperatures') ORDER BY ts_rank(to_tsvector('english', name), to_tsquery('english', 'temperatures')) DESC, id
  | SELECT id, ts_headline('english', name, websearch_to_tsquery('english', 'temperature or pressure')) AS found, to_tsvector('simple', name) @@ phraseto_tsquery('simple', 'pH') AS ph FROM v_quantities
  | SELECT 'german'::regconfig AS configuration, to_tsvector(c, 'Messungen') AS words, ts_lexize('english_stem', 'temperatures') AS stems FROM (SELECT 'german'::regconfig AS c) t
  | SELECT pg_typeof(last_updated_at) AS type, pg_typeof(name)::text AS text FROM v_quantities WHERE pg_typeof(molar_mass)::text = 'double precision'
  | SELECT ARRAY['2 hours'::interval, NULL] AS spans, age('2025-12-31'::text::timestamptz, '2024-02-29') AS age, '-infinity'::timestamptz AS never, 'NaN'::float8 AS none`

/** A statement whose answers differ, and why that is right. */
export interface Difference {
  readonly sql: string
  readonly why: string
  /** The first PostgreSQL whose answer is the same. Default: none. */
  readonly until?: number
}

/** Differences are listed here, so that each is known and still there. */
export const differences: readonly Difference[] = [
  ...['pg_class', 'information_schema.tables', 'plant.quantities'].map((name) => ({
    sql: `SELECT count(*) FROM ${name}`,
    why: 'Nothing but the views exists (docs/decisions/0023, ruling 10).',
  })),
  ...['version()', 'array_send(ARRAY[1])', 'current_database()'].map((value) => ({
    sql: `SELECT ${value} AS c`,
    why: 'A statement may call no function that tells of the server (docs/decisions/0006).',
  })),
  { sql: 'SELECT current_user AS c', why: 'The role of a statement has another name.' },
  { sql: 'EXPLAIN SELECT 1', why: 'Only SELECT is accepted (docs/decisions/0023, ruling 10).' },
  {
    sql: `SELECT ARRAY[int4range(1, 2)] AS c`,
    why: 'An array whose type JSON does not know is a text, as its elements are.',
  },
  { sql: `SELECT upper('ß') AS c`, why: 'The C library of the embedded engine knows the capital letter.' },
  {
    sql: `SELECT convert_to('ä', 'LATIN1') AS c`,
    why: 'PGlite lacks the modules that convert between encodings.',
  },
  { sql: `SELECT 'a' < 'B' COLLATE "de-x-icu" AS c`, why: 'PGlite knows the order of no language.' },
  { sql: 'SELECT power(5::numeric, 3) AS c', why: 'It has fewer digits since.', until: 16 },
  { sql: 'SELECT 1_000 AS c', why: 'New syntax.', until: 16 },
  { sql: `SELECT '["a"]' IS JSON ARRAY AS c`, why: 'New syntax.', until: 16 },
  { sql: `SELECT 'infinity'::interval AS c`, why: 'A new value.', until: 17 },
  {
    sql: `SELECT id FROM v_bioprocesses WHERE ('empty'::tstzrange @> run_end_timestamp) IS NULL`,
    why: 'An empty range does not contain an unknown time either, since.',
    until: 17,
  },
  { sql: `SELECT JSON_VALUE('{"a": 1}', '$.a') AS c`, why: 'New syntax.', until: 17 },
  { sql: `SELECT array_reverse(ARRAY[1, 2]) AS c, casefold('Ä') AS d`, why: 'New functions.', until: 18 },
]

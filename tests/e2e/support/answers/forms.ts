/**
 * Statements of analysts, templates as in ./expressions.ts. `$a` and `$b` stand for views with these aliases, `$on` for the
 * equality that relates them, `$id` for the columns of the key. A statement that ends with ORDER BY has a total order.
 */
export const forms = String.raw`
  SELECT $any AS c, $any AS d, $any AS e FROM $a WHERE $boolean
  | SELECT $id, $any AS c, $any AS d FROM $a WHERE $boolean OR $boolean ORDER BY $id
  | SELECT $id, $any AS c FROM $a ORDER BY $text DESC NULLS LAST, $id LIMIT $positive OFFSET 1
  | SELECT $id, $any AS c FROM $a ORDER BY $number NULLS FIRST, $id FETCH FIRST $positive ROWS ONLY
  | SELECT a.*, $any AS c FROM $a WHERE $boolean
  | SELECT a.* FROM $a WHERE $columntime > $time@
  | SELECT a.* FROM $a WHERE $columntime BETWEEN $time@ AND $time
  | SELECT DISTINCT $text AS c, $boolean AS d FROM $a
  | SELECT DISTINCT ON (c) $text AS c, $id, $any AS d FROM $a WHERE $boolean ORDER BY c DESC, $id
  | SELECT count(*) AS n FROM $a WHERE $boolean AND NOT $boolean
  | SELECT $any@ AS c, $any@ AS d, $any@ AS e
  | SELECT $id@ab, $any@ab AS c FROM $a JOIN $b ON $on WHERE $boolean@ab
  | SELECT $id@ab, $any@ab AS c FROM $a LEFT JOIN $b ON $on AND $boolean@ab WHERE $boolean@a
  | SELECT $id@ab, $any@ab AS c FROM $a RIGHT JOIN $b ON $on AND $boolean@ab
  | SELECT $id@ab, $any@ab AS c FROM $a FULL JOIN $b ON $on WHERE $boolean@ab IS NOT TRUE
  | SELECT $id, $any AS c FROM $a LEFT JOIN $b ON $on WHERE $boolean@b IS NULL ORDER BY $id@ab
  | SELECT $id, b.c FROM $a LEFT JOIN LATERAL (SELECT $text@ab AS c FROM $b WHERE $on ORDER BY $id@b LIMIT 2) b ON b.c > 'B'
  | SELECT $id, l.* FROM $a CROSS JOIN LATERAL (VALUES ($int, $text), (NULL, $text)) AS l(n, t)
  | SELECT $id, $any AS c FROM $a WHERE EXISTS (SELECT 1 FROM $b WHERE $on AND $boolean@ab)
  | SELECT $id, $any AS c FROM $a WHERE NOT EXISTS (SELECT FROM $b WHERE $on AND $boolean@b)
  | SELECT $id, (SELECT string_agg($text@b, ',' ORDER BY $id@b) FROM $b WHERE $on) AS c FROM $a
  | SELECT $text AS k, count(*) AS n, max($time) AS t, bool_or($boolean) AS b FROM $a GROUP BY 1 HAVING count(*) > 1
  | SELECT $boolean AS k, sum(($number)::numeric) AS s, avg(($number)::numeric) AS m, count($text) AS c FROM $a GROUP BY k
  | SELECT $boolean AS k, max($columntime) AS t FROM $a GROUP BY 1 HAVING max($columntime) > $time@ ORDER BY 1
  | SELECT count(*) FILTER (WHERE $boolean) AS n, min($text COLLATE "C") FILTER (WHERE $boolean) AS t FROM $a
  | SELECT count(DISTINCT $text) AS n, array_agg(DISTINCT ($text) COLLATE "C") AS l, every($boolean) AS e FROM $a
  | SELECT string_agg($text, '|' ORDER BY $text COLLATE "C", $id) AS s, array_agg($number ORDER BY $id) AS l FROM $a
  | SELECT jsonb_agg($json ORDER BY $id) AS l, jsonb_object_agg(a.$first, $number ORDER BY $id) AS o FROM $a
  | SELECT stddev_samp(($number)::numeric) AS s, var_pop(($number)::numeric) AS v, sum($interval) AS i FROM $a WHERE $boolean
  | SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY $number) AS m, percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY $time) AS d FROM $a
  | SELECT mode() WITHIN GROUP (ORDER BY $text) AS m, rank($int) WITHIN GROUP (ORDER BY ($number)::numeric) AS r FROM $a
  | SELECT $columntext AS k, $columntime AS t, count(*) AS n FROM $a GROUP BY ROLLUP (1, 2)
  | SELECT a.$first AS k, $columntext AS l, grouping(a.$first) AS g, min($number) AS n FROM $a GROUP BY CUBE (1, 2)
  | SELECT $columntext AS k, sum(($number)::numeric) AS n FROM $a GROUP BY GROUPING SETS ((1), ()) HAVING count(*) > $int
  | SELECT $id, row_number() OVER w AS n, rank() OVER (ORDER BY $text) AS r, ntile(3) OVER w AS t FROM $a WINDOW w AS (ORDER BY $id)
  | SELECT $id, lag(($text)::text, $positive, '-') OVER (PARTITION BY $boolean ORDER BY $id) AS c, cume_dist() OVER (ORDER BY $time) AS d FROM $a
  | SELECT $id, sum(($number)::numeric) OVER (ORDER BY $id ROWS BETWEEN $positive PRECEDING AND 1 FOLLOWING) AS c FROM $a
  | SELECT $id, count(*) OVER (ORDER BY $columntime RANGE BETWEEN ('$positive' || ' days')::interval PRECEDING AND CURRENT ROW) AS c FROM $a
  | SELECT $id, first_value($number) OVER w AS f, count(*) FILTER (WHERE $boolean) OVER w AS c FROM $a WINDOW w AS (ORDER BY $id GROUPS 2 PRECEDING EXCLUDE TIES)
  | SELECT $id, nth_value($time, 2) OVER (ORDER BY $id ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS c FROM $a ORDER BY $id
  | WITH w AS (SELECT $any AS c, $text AS t FROM $a), v AS MATERIALIZED (SELECT DISTINCT t FROM w) SELECT w.c, v.t FROM w JOIN v USING (t)
  | WITH RECURSIVE t(n, d) AS (SELECT 1, $time@ UNION ALL SELECT n + 1, d - interval '1 day' FROM t WHERE n < 6) SELECT n, d, $any@ AS c FROM t ORDER BY n
  | WITH RECURSIVE t(n) AS (SELECT $positive UNION SELECT n * 2 % 7 FROM t) CYCLE n SET looped USING path SELECT n, looped, path::text FROM t
  | WITH RECURSIVE t(n, l) AS (VALUES (1, ARRAY[]::text[]) UNION ALL SELECT n + 1, l || $text@ FROM t WHERE n < 4) SEARCH DEPTH FIRST BY n SET place SELECT n, l FROM t ORDER BY place
  | (SELECT $text AS c, $number AS d FROM $a) UNION (SELECT $text@b, $number@b FROM $b)
  | SELECT $time AS c FROM $a WHERE $boolean UNION ALL SELECT $time@b FROM $b WHERE $boolean@b ORDER BY c
  | SELECT $text AS c FROM $a INTERSECT ALL SELECT $text@b FROM $b
  | SELECT $boolean AS c, $date AS d FROM $a EXCEPT SELECT $boolean@b, $date@b FROM $b
  | SELECT a.*, $any@ AS c FROM (VALUES ($text@, $number@), ($text@, NULL)) AS a(x, y) WHERE $boolean@ IS NOT FALSE
  | SELECT a.n, a.d, $any@ AS c FROM generate_series($time@, $time@ + interval '3 days', '1 day'::varchar::interval) WITH ORDINALITY AS a(d, n) ORDER BY n
  | SELECT u.x, u.n, $any@ AS c FROM unnest($array@, ARRAY[1, 2]) WITH ORDINALITY AS u(x, y, n) ORDER BY n
  | SELECT $id, e.key, e.value FROM $a, jsonb_each(jsonb_build_object('a', $json, 'b', $text)) e
  | SELECT $id, e.value, e.place FROM $a, jsonb_array_elements_text(jsonb_build_array($json, $time, $number)) WITH ORDINALITY e(value, place)
  | SELECT r.* FROM jsonb_to_recordset('[{"a": 1.50, "b": "x", "c": {"d": 1}}, {"a": null}]') AS r(a numeric, b text, c jsonb) WHERE $boolean@
  | SELECT s.* FROM $a, LATERAL ROWS FROM (generate_series(1, $positive), unnest($array)) AS s(n, t) WHERE $boolean
  | @17 SELECT $id, j.* FROM $a, LATERAL (SELECT jsonb_build_array($json, $number, $text) AS d) l, JSON_TABLE(l.d, '$[*]' COLUMNS (n FOR ORDINALITY, v jsonb PATH '$', t text PATH '$.type')) j
  | @17 SELECT $id, j.* FROM $a, LATERAL (SELECT $json AS d) l, JSON_TABLE(l.d, '$[*]' COLUMNS (t text PATH '$.type' DEFAULT '-' ON EMPTY, NESTED '$.volume' COLUMNS (v numeric PATH '$.value'))) j
  | @16 SELECT any_value(a.$first) IS NULL AS c, JSON_ARRAYAGG($text ORDER BY $id) AS l, JSON_OBJECTAGG(a.$first VALUE $number RETURNING jsonb) AS o FROM $a`

/** Statements that fail, as in {@link forms}. */
export const failing = String.raw`
  SELECT $any AS c, 1 / $int@ % 0 AS d FROM $a | SELECT $any AS c, 1 / (length($quoted) * 0) AS d FROM $a
  | SELECT a.missing, $any AS c FROM $a | SELECT $any AS c FROM $a WHERE missing = $text | SELECT missing($text) AS c FROM $a
  | SELECT upper($int, $any) AS c FROM $a | SELECT $any AS c FROM v_missing a | SELECT $any AS c FROM $a JOIN missing m ON m.id = $text
  | SELECT $any AS c FROM $a WHERE b.id = $text | SELEC $any FROM $a | SELECT $any AS c FORM $a | SELECT $any AS c FROM $a WHERE
  | SELECT ($any AS c FROM $a | SELECT 'open, $any FROM $a | SELECT $any AS c FROM $a LIMIT 1, 2 | SELECT $text, FROM $a
  | SELECT U&'\00zz', $any FROM $a | SELECT $boolean + 1 AS c FROM $a | SELECT ($text)::text * 2 AS c FROM $a
  | SELECT $time + $time AS c FROM $a | SELECT $number || $number AS c FROM $a | SELECT $any AS c FROM $a WHERE $number
  | SELECT id, $any AS c FROM v_timeseries a, v_quantities b | SELECT $any AS c FROM $a, v_experiments a
  | SELECT a.$first, count(*) AS n FROM $a | SELECT sum(count(*)) AS n FROM $a | SELECT $any AS c FROM $a WHERE count(*) > $int
  | SELECT row_number() AS n FROM $a | SELECT $any AS c FROM $a WHERE row_number() OVER () = 1
  | SELECT $text AS c FROM $a UNION SELECT $text, 2 | SELECT $number AS c FROM $a UNION SELECT ($text)::text
  | SELECT (SELECT x.id FROM v_quantities x) AS c FROM $a | SELECT $any AS c FROM $a ORDER BY 99
  | SELECT DISTINCT $int AS c FROM $a ORDER BY a.$first | SELECT $any AS c FROM $a LIMIT -$positive
  | SELECT ('2025-02-' || '30')::date AS c, $any AS d FROM $a | SELECT '2025-12-01x'::varchar::timestamptz AS c, $any AS d FROM $a
  | SELECT ('$positive' || ' dayz')::interval AS c FROM $a | SELECT ('a' || $int)::numeric AS c, $any AS d FROM $a
  | SELECT ('x' || $int)::boolean AS c, $any AS d FROM $a | SELECT ('{"a": ' || '}')::jsonb AS c, $any AS d FROM $a
  | SELECT '{1,2'::text::int[] AS c, $any AS d FROM $a | SELECT ($number)::missing AS c FROM $a
  | SELECT 2147483648::int AS c, $any AS d FROM $a | SELECT '1e400'::text::float8 AS c, $any AS d FROM $a
  | SELECT sqrt(-$positive) AS c, $any AS d FROM $a | SELECT ln(($int * 0)::numeric) AS c, $any AS d FROM $a
  | SELECT tstzrange(timestamptz '$day', '2020-01-01') AS c, $any AS d FROM $a | SELECT $quoted ~ '(' AS c, $any AS d FROM $a
  | SELECT jsonb_object_agg(NULL::text, $number) AS c FROM $a | SELECT $any AS c FROM $a FULL JOIN $b ON a.$first > $quoted
  | SELECT $any AS c FROM $a, (SELECT a.$first AS x) s | WITH w(x, y) AS (SELECT $text FROM $a) SELECT * FROM w
  | SELECT substring($quoted FROM 1 FOR -1) AS c, $any AS d FROM $a | SELECT round($number, $text, 1) AS c FROM $a
  | SELECT make_date(2025, 13, $positive) AS c FROM $a | SELECT extract(fortnight FROM timestamptz '$day') AS c, $any AS d FROM $a
  | SELECT timestamptz '$day' AT TIME ZONE 'Mars/Base' AS c, $any AS d FROM $a`

/**
 * Expressions of analysts by their type: templates, divided by ` | `. `$text` stands for an expression of that type, `$text@b` for one that
 * sees the columns of the view `b` alone, `$text@` for one without columns; `@16 ` before a template needs PostgreSQL 16 or later.
 * Templates are written so that most statements succeed: divisors are never 0, casts fit.
 */
export const expressions = {
  text: String.raw`
    $quoted | $columntext | ($text || $text) | upper($text) | lower($text) | initcap($text) | md5($text) | reverse($text)
    | left($text, $int) | substring($text FROM 2 FOR $positive) | substring($text FROM '[A-Z]+-?(\d*)')
    | overlay($text PLACING $quoted FROM 2) | replace($text, 'a', $quoted) | translate($text, 'abc', 'xy')
    | regexp_replace($text, '[aeiou]+', '<\&>', 'g') | (regexp_match($text, '(\w+)\s?(\w*)'))[1] | split_part($text, '-', $positive)
    | trim(BOTH ' x' FROM $text) | lpad($text, 12, 'äö') | repeat($quoted, $positive) | concat($text, $number, NULL, $boolean)
    | concat_ws(', ', $text, NULL, $text) | format('%s %L %I %%', $text, $text, $quoted) | quote_literal($text) | quote_nullable($text)
    | encode(convert_to($text, 'UTF8'), 'hex') | to_char($time, 'YYYY-MM-DD"T"HH24:MI:SS.US IYYY-IW Day')
    | to_char(($number)::numeric, 'FM999G990D00') | to_char($interval, 'DD HH24:MI') | ($number)::text | ($time)::text | ($interval)::text
    | ($boolean)::text | ($array)::text | ($range)::text | CAST(CAST($text AS varchar(12)) AS text) | ($text)::char(6) | ($json ->> $key)
    | ($json #>> '{volume,unit}') | jsonb_typeof($json) | array_to_string($array, ',', '-') | ($array)[$positive]
    | coalesce($text, $quoted) | nullif($text, $quoted) | greatest($text, $text, NULL)
    | CASE WHEN $boolean THEN $text WHEN $boolean THEN $quoted END | CASE $text WHEN $quoted THEN 'same' ELSE $text END
    | (SELECT max(x.external_id) FROM v_experiments x WHERE x.external_id < $text)
    | (SELECT string_agg(x.name, '; ' ORDER BY x.name COLLATE "C" DESC, x.id) FROM v_formulas x WHERE x.default_unit = $text)
    | @17 JSON_VALUE($json, '$.status' DEFAULT 'none' ON EMPTY) | @17 JSON_SERIALIZE($json RETURNING text)`,
  number: String.raw`
    $int | $decimal | $columnnumber | ($number + $number) | ($number - $number) | ($number * $number) | ($number / nullif($number, 0))
    | ($int / 2 % 3) | (- $number) | abs($number) | round($number) | round(($number)::numeric, $int) | trunc(($number)::numeric, 1)
    | ceil($number) | floor($number) | sign($number) | sqrt(abs($number)) | mod(($number)::numeric, 7) | @16 power(($int)::numeric, 3)
    | width_bucket(($int)::numeric, 0, 10, 5) | ($int & 6 # 2 << 1) | ('$int' || '.50')::numeric | '1e3'::varchar::float8 | 'NaN'::numeric
    | '-Infinity'::float8 | 9223372036854775807 | ('$int'::text)::int | CAST($decimal AS numeric(30, 1)) | length($text)
    | position($quoted IN $text) | extract(epoch FROM $time) | extract(isodow FROM $time) | date_part('hour', $time)
    | extract(epoch FROM $interval) | ($date - $date) | cardinality($array) | jsonb_array_length(jsonb_build_array($json, $number))
    | (to_jsonb($number) #>> '{}')::float8 | ($boolean)::int | coalesce($number, $int) | nullif($number, $int)
    | least($number, $number, NULL) | CASE WHEN $boolean THEN $number ELSE $int END
    | (SELECT count(*) FROM v_experiments x WHERE x.last_updated_at > $time) | (SELECT sum(n) FROM generate_series(1, $positive) n)
    | @17 JSON_VALUE($json, '$.value' RETURNING numeric NULL ON ERROR) | @16 0x1F`,
  time: String.raw`
    $columntime | timestamptz '$day 10:00:00.123456+02' | '$day'::varchar::timestamptz | ('$day' || '')::timestamptz
    | ('$day' || ' 12:30 Europe/Berlin')::timestamptz | CAST(CAST('$day' AS varchar(10)) AS timestamptz)
    | ('$day'::text)::timestamp::timestamptz | ($date)::timestamptz | ($date + $clock)::timestamptz
    | ($time - ('$positive' || ' days')::interval) | ($time + $interval) | ($time - $interval) | date_trunc('month', $time)
    | date_trunc('day', $time, 'America/New_York') | date_bin('15 minutes', $time, timestamptz '2025-01-01')
    | (($time AT TIME ZONE 'Europe/Berlin') AT TIME ZONE 'UTC') | make_timestamptz(2025, $positive, $positive, 10, 30, 1.5, 'Asia/Tokyo')
    | to_timestamp('$day 07', 'YYYY-MM-DD HH24') | to_timestamp($positive * 180000000) | to_char($time, 'YYYY-MM-DD HH24:MI')::timestamptz
    | ('{"at": "$day"}'::jsonb ->> 'at')::timestamptz | coalesce($time, timestamptz '$day') | greatest($time, $time)
    | CASE WHEN $boolean THEN $time END | (SELECT max(x.last_updated_at) FROM v_experiments x)
    | (SELECT min(x.timestamp) FROM v_timeseries_data x WHERE x.timestamp > $time)`,
  date: `
    date '$day' | ($time)::date | ('$day' || '')::date | CAST('$day' AS varchar(10))::date | ($date + $int)
    | make_date(2025, $positive, $positive) | to_date('$day', 'YYYY-MM-DD') | date_trunc('week', $date)::date`,
  clock: `
    time '10:00' | ($time)::time | ('10:30:' || '$positive')::time | ($clock + $interval) | make_time($positive, 30, 1.25)`,
  interval: `
    interval '1 day 02:03:04.5' | ('$positive' || ' days')::interval | ($int || ' hours')::interval
    | ('PT' || '$positive' || 'H')::varchar::interval | CAST('90 minutes' AS varchar(10))::interval | interval '3' month
    | interval '1:30' hour to minute | make_interval(days => $int, mins => $int) | ($int * interval '36 hours') | ($interval * 1.5)
    | ($interval / 4) | (- $interval) | ($interval + $interval) | ($time - $time) | age($time, $time) | justify_interval($interval)
    | ($clock)::interval | coalesce($interval, interval '0') | date_trunc('hour', $interval)`,
  boolean: String.raw`
    true | NULL::boolean | $columnboolean | ($columntime > '$day') | ($columntext <> $quoted) | ($columnnumber >= $int)
    | ($columntext IN ($quoted, $quoted)) | ($number < $number) | ($text = $text) | ($text <= $text COLLATE "C") | ($time > $time)
    | ($time > '$day'::text::timestamptz) | ($date <> $date) | (now() - ('$positive' || ' days')::interval < now())
    | ($clock >= ('10:00' || '')::time) | ($interval > '1 day'::varchar::interval) | ($json = $json) | ($array = $array)
    | ($boolean AND $boolean) | ($boolean OR $boolean) | (NOT $boolean) | ($boolean IS TRUE) | ($boolean IS NOT FALSE)
    | ($boolean IS UNKNOWN) | ($text IS NULL) | ($number IS NOT NULL) | (($text, $number) IS NULL) | ($text IS DISTINCT FROM $text)
    | ($number IS NOT DISTINCT FROM NULL) | ($number IN ($int, $decimal, NULL)) | ($text NOT IN ($quoted, $text))
    | ($text NOT IN ('a', NULL)) | ($number BETWEEN $int AND $number) | ($time NOT BETWEEN SYMMETRIC $time AND $time)
    | ($time BETWEEN ('$day' || '')::timestamptz AND '$day'::varchar::date) | ($text LIKE '%' || $quoted || '_%')
    | ($text NOT LIKE 'a!%%' ESCAPE '!') | ($text ILIKE '%EC\_%') | ($text SIMILAR TO '%(a|b|[0-9]{2})%') | ($text ~ '^[[:alpha:]äÖ]+\d?')
    | ($text !~* '(B|ü)\Z') | ($text ^@ 'BR-') | ($text = ANY ('{a,"b c",ä}'::text::text[])) | ($text = ANY ($array))
    | ($number > ALL (ARRAY[$int, $number])) | ($text <> ALL (SELECT x.name FROM v_quantities x WHERE x.molar_mass > $number))
    | ($text IN (SELECT x.default_unit FROM v_formulas x)) | (($text, $int) < ($text, $number))
    | (($text, $int) IN (SELECT x.external_id, 1 FROM v_experiments x))
    | EXISTS (SELECT 1 FROM v_experiments x WHERE x.last_updated_at > $time) | ($array && ARRAY[$text, 'a'])
    | ($array @> ARRAY[$text]::text[]) | ($json ? $key) | ($json @> '{"status": "Completed"}') | ($json @? '$.** ? (@.value > 10)')
    | jsonb_path_exists($json, '$[*] ? (@.type like_regex "Event$")') | ($range @> $time)
    | ($range && tstzrange('2025-12-10', '$day'::text::timestamptz + interval '2 years')) | ($int <@ int4range($int, 20))
    | (daterange('2025-06-01', NULL) @> $date) | isempty($range) | (($time, $interval) OVERLAPS (timestamptz '$day', interval '9 days'))
    | ('$positive' || '')::int::boolean | CASE WHEN $boolean THEN $boolean ELSE false END | coalesce($boolean, $boolean)
    | @16 ($text IS JSON) | @17 JSON_EXISTS($json, '$[*].type')`,
  json: String.raw`
    $columnjson | '{"a": [1, null, "ä\"\\"], "value": 1.50, "status": "Completed"}'::jsonb
    | ('[1, {"type": "x"}, ' || $int || ']')::text::jsonb | ($json -> $key) | ($json -> $int) | ($json #> '{volume}') | ($json || $json)
    | to_jsonb($number) | to_jsonb(($text)::text) | to_jsonb($time) | to_jsonb($array)
    | jsonb_build_object('text', $text, 'time', $time, 'span', $interval, 'json', $json)
    | jsonb_build_array($text, $number, $boolean, NULL, $array) | jsonb_strip_nulls($json)
    | jsonb_set('{"a": {"b": 1}}', '{a,b}', coalesce($json, 'null')) | jsonb_path_query_array($json, '$[*].timestamp')
    | jsonb_path_query_first($json, '$.* ? (@ > 1)') | (json_build_object('n', $number, 'list', $array))::jsonb
    | row_to_json(ROW($text, $number))::jsonb | ('{"a": 1, "b": [2]}'::jsonb - 'a') | ('{"a": 1, "b": [2]}'::jsonb #- '{b,0}')
    | (SELECT jsonb_agg(x.external_id ORDER BY x.id) FROM v_experiments x WHERE x.last_updated_at > $time)
    | (SELECT jsonb_object_agg(x.id, x.molar_mass) FROM v_quantities x WHERE x.molar_mass > $int)
    | (SELECT jsonb_agg(e.value ORDER BY e.key) FROM jsonb_each('{"b": 1, "a": null}') e) | coalesce($json, '{}')
    | @16 JSON_OBJECT('text': $text, 'n': $number ABSENT ON NULL RETURNING jsonb)
    | @16 JSON_ARRAY($text, $int, $boolean NULL ON NULL RETURNING jsonb) | @17 JSON_QUERY($json, '$[*].type' WITH WRAPPER)`,
  array: String.raw`
    '{a,"b c",NULL,"\"ä\\"}'::text[] | ARRAY[$text, NULL, $text]::text[] | '{a,b}'::text::text[] | string_to_array($text, '-')
    | regexp_split_to_array($text, '\s+') | ($array || ($text)::text) | array_cat($array, $array) | array_remove($array, 'a')
    | array_replace($array, NULL, '-') | ($array)[2:] | ARRAY(SELECT x FROM unnest($array) x ORDER BY x DESC NULLS LAST)
    | array_fill($quoted::text, ARRAY[$positive]) | array_positions($array, 'a')::text[] | coalesce($array, '{}')`,
  range: `
    tstzrange('2025-01-01', '$day'::text::timestamptz + interval '2 years', '[]') | tstzrange($time, NULL) | '[2025-03-01,)'::tstzrange
    | ('[2025-01-01,' || '2025-12-16]')::text::tstzrange | ($range * $range) | ('emp' || 'ty')::tstzrange`,
  any: String.raw`
    $text | $number | $time | $interval | $boolean | $json | $array | $date | $clock | $range | ($time)::timestamp | ($time)::timetz
    | ($json)::json | ($number)::real | ($int)::smallint | ($int)::bigint * 3000000000 | ARRAY[$number, NULL]
    | ARRAY[[1, NULL], [$int, 4]] | ARRAY[$time, NULL] | ARRAY[$interval] | ARRAY[$boolean, NULL] | ARRAY[$json] | ARRAY[$date, NULL]
    | ARRAY[$clock] | '[0:1]={1,2}'::int[] | decode('00ff41', 'hex') | ROW($int, $text, NULL)
    | '6F9619FF-8B86-D011-B42D-00C04FC964FF'::uuid | ($text)::name | B'101' & B'110' | int4range($int, 20, '[]') | daterange($date, NULL)
    | numrange(NULL, ($decimal)::numeric) | '$.a[*] ? (@ > 1)'::jsonpath | NULL | 'NaN'::float8 | ('-infi' || 'nity')::timestamptz
    | ARRAY[date '-infinity', 'infinity', NULL] | ARRAY['NULL', NULL, $text]::text[] | timestamptz '99999-01-01' | date '0044-03-15 BC'
    | timestamp '2025-12-01 10:00:00.5'`,
} as const

/** What the words of templates that are no expressions stand for. */
export const words = {
  int: '-3 | 0 | 1 | 2 | 5 | 12',
  positive: '1 | 2 | 3 | 7 | 10',
  decimal: '0.10 | -7.5e-3 | .5 | 100. | 12345678901234567890 | 2.50 | 1e2 | 0.1::float8 | 1e-7::float8',
  day: '2025-12-01 | 2025-12-16 | 2025-03-30 | 2024-02-29 | 2027-12-03',
  key: `'status' | 'value' | 'max' | 'type' | 'failure_mode' | 'unit'`,
  quoted: String.raw`'a' | 'BR-EC' | 'It''s "x"' | '' | 'ä ö Ü é 温度' | '\n' | E'\x01\t\'\\' | E'\u00e4\x41' | U&'\00e4\+01F600' | $$it's$$
    | $tag$a$$b$tag$ | '100%'`,
} as const

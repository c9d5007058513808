/** Functions without a rule or with a wrong one, and why they are allowed or refused. */
export interface Decision {
  readonly allowed: boolean
  readonly why: string
  readonly names: readonly string[]
}

const words = (text: string) => text.trim().split(/\s+/)
const allow = (why: string, names: string): Decision => ({ allowed: true, why, names: words(names) })
const refuse = (why: string, names: string): Decision => ({ allowed: false, why, names: words(names) })

/**
 * Types whose call casts a text. Most are functions of pg_proc too; json, jsonb and uuid are not, and PostgreSQL reads
 * the call as a cast.
 */
export const typeNames: readonly string[] = words(
  `bool bpchar date float4 float8 int2 int4 int8 interval json jsonb numeric text time timestamp timestamptz
   timetz uuid varchar`,
)

/**
 * The decisions made by hand, reviewed against the sources of PostgreSQL 18. An allowed function does not write, reads
 * only its arguments, the clock, the session's time zone and the random generator, runs no SQL from a text, and does
 * not outlive its transaction.
 */
export const decisions: readonly Decision[] = [
  { allowed: true, why: 'the same as a cast', names: typeNames },
  allow(
    'a sleep causes a 504 without loading the server (decisions/0023, ruling 11)',
    'pg_sleep pg_sleep_for',
  ),
  allow('volatile by its clock alone', 'clock_timestamp timeofday'),
  allow(
    'volatile by the random generator, which the session keeps and nothing else reads',
    'array_sample array_shuffle gen_random_uuid random random_normal uuidv4 uuidv7',
  ),
  allow(
    'documented under its own name besides its operator',
    `array_append array_cat array_prepend json_extract_path json_extract_path_text jsonb_concat
     jsonb_contained jsonb_contains jsonb_delete jsonb_delete_path jsonb_exists jsonb_exists_all
     jsonb_exists_any jsonb_extract_path jsonb_extract_path_text isempty range_merge starts_with`,
  ),
  allow(
    'stable because of the time zone or the start of the transaction',
    `age date_add date_part date_subtract date_trunc extract generate_series jsonb_path_exists_tz
     jsonb_path_match_tz jsonb_path_query_array_tz jsonb_path_query_first_tz jsonb_path_query_tz
     make_timestamptz now overlaps statement_timestamp timezone to_char to_date to_number to_timestamp
     transaction_timestamp`,
  ),
  allow(
    'stable because it prints or reads values of any type',
    `array_to_json array_to_string concat concat_ws format json_build_array json_build_object
     json_populate_record json_populate_recordset json_to_record json_to_recordset jsonb_build_array
     jsonb_build_object jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset
     jsonb_to_record jsonb_to_recordset quote_literal quote_nullable row_to_json to_json to_jsonb`,
  ),
  allow('stable because encodings can be added to a database', 'convert convert_from convert_to length'),
  refuse(
    'tells about the server or the session',
    `current_database current_schema current_schemas current_user getdatabaseencoding getpgusername
     icu_unicode_version row_security_active session_user system_user unicode_version version`,
  ),
  refuse('looks names up in the catalogue', 'to_regtypemod'),
  refuse('changes what random() gives to the statements after it', 'setseed'),
]

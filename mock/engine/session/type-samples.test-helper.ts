/** A text that each type of PostgreSQL reads. Types without one read no text at all. */
export const typeSamples: Readonly<Record<string, string>> = {
  bit: '1',
  bool: 't',
  box: '(1,1),(0,0)',
  bpchar: 'a',
  bytea: '\\x41',
  char: 'a',
  cid: '1',
  cidr: '10.0.0.0/8',
  circle: '<(0,0),1>',
  date: '2025-01-02',
  datemultirange: '{[2025-01-02,2025-02-03)}',
  daterange: '[2025-01-02,2025-02-03)',
  float4: '1.5',
  float8: '1.5',
  inet: '10.0.0.1',
  int2: '1',
  int2vector: '1 2',
  int4: '1',
  int4multirange: '{[1,3)}',
  int4range: '[1,3)',
  int8: '1',
  int8multirange: '{[1,3)}',
  int8range: '[1,3)',
  interval: '1 day',
  json: '{"a": 1}',
  jsonb: '{"a": 1}',
  jsonpath: '$.a',
  line: '{1,2,3}',
  lseg: '[(0,0),(1,1)]',
  macaddr: '08:00:2b:01:02:03',
  macaddr8: '08:00:2b:01:02:03:04:05',
  money: '1.50',
  name: 'a',
  numeric: '1.5',
  nummultirange: '{[1,3)}',
  numrange: '[1,3)',
  oid: '1',
  oidvector: '1 2',
  path: '[(0,0),(1,1)]',
  pg_lsn: '0/1',
  pg_snapshot: '1:2:',
  point: '(1,2)',
  polygon: '((0,0),(1,1),(1,0))',
  refcursor: 'a',
  regconfig: 'simple',
  regdictionary: 'simple',
  text: 'a',
  tid: '(0,1)',
  time: '10:00',
  timestamp: '2025-01-02 10:00',
  timestamptz: '2025-01-02 10:00+01',
  timetz: '10:00+01',
  tsmultirange: '{[2025-01-02,2025-02-03)}',
  tsquery: 'a & b',
  tsrange: '[2025-01-02,2025-02-03)',
  tstzmultirange: '{[2025-01-02,2025-02-03)}',
  tstzrange: '[2025-01-02,2025-02-03)',
  tsvector: 'a:1 b:2',
  txid_snapshot: '1:2:',
  uuid: '00000000-0000-4000-8000-000000000000',
  varbit: '101',
  varchar: 'a',
  xid: '1',
  xid8: '1',
  xml: '<a/>',
}

/** Types that tell names of objects and roles. No statement writes their values; pg_typeof gives some. */
export const namingTypes: readonly string[] = [
  'aclitem',
  'regclass',
  'regcollation',
  'regnamespace',
  'regoper',
  'regoperator',
  'regproc',
  'regprocedure',
  'regrole',
  'regtype',
]

/** Types whose values come from PostgreSQL's own code alone. */
export const withoutText: readonly string[] = [
  ...namingTypes,
  'gtsvector',
  'pg_brin_bloom_summary',
  'pg_brin_minmax_multi_summary',
  'pg_dependencies',
  'pg_mcv_list',
  'pg_ndistinct',
  'pg_node_tree',
]

/** Values for the arguments of functions that take several types. */
const polymorphic: Readonly<Record<string, string>> = {
  any: '1',
  anyelement: '1',
  anycompatible: '1',
  anynonarray: '1',
  anycompatiblenonarray: '1',
  anyarray: "'{1}'::int4[]",
  anycompatiblearray: "'{1}'::int4[]",
  anyrange: "'[1,3)'::int4range",
  anycompatiblerange: "'[1,3)'::int4range",
  anymultirange: "'{[1,3)}'::int4multirange",
  anycompatiblemultirange: "'{[1,3)}'::int4multirange",
  record: 'ROW(1)',
}

/** SQL for a value of a type, by its name in pg_type; undefined if a client can write none. */
export function valueOf(type: string): string | undefined {
  const text = typeSamples[type]
  if (text !== undefined) return `'${text}'::pg_catalog."${type}"`
  if (type.startsWith('_') && typeSamples[type.slice(1)] !== undefined)
    return `ARRAY[${valueOf(type.slice(1))}]`
  return polymorphic[type]
}

/** How the text of a PostgreSQL value becomes JSON. */
export type Encoding =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'json'
  | 'timestamptz'
  | 'timestamp'
  | 'date'
  | 'array'

interface Type {
  readonly encoding: Encoding
  readonly oids: readonly number[]
  /** OIDs of the array types over `oids`, in the same order. */
  readonly arrays: readonly number[]
}

/** Source: pg_type.dat of PostgreSQL 18. Every other type is text. */
const types: readonly Type[] = [
  { encoding: 'boolean', oids: [16], arrays: [1000] },
  // int8, int2, int4, oid
  { encoding: 'integer', oids: [20, 21, 23, 26], arrays: [1016, 1005, 1007, 1028] },
  // float4, float8, numeric: they have NaN and the infinities, JSON does not
  { encoding: 'number', oids: [700, 701, 1700], arrays: [1021, 1022, 1231] },
  { encoding: 'json', oids: [114, 3802], arrays: [199, 3807] },
  { encoding: 'timestamptz', oids: [1184], arrays: [1185] },
  { encoding: 'timestamp', oids: [1114], arrays: [1115] },
  { encoding: 'date', oids: [1082], arrays: [1182] },
  // text, varchar, bpchar, name, uuid, time, timetz, interval
  {
    encoding: 'text',
    oids: [25, 1043, 1042, 19, 2950, 1083, 1266, 1186],
    arrays: [1009, 1015, 1014, 1003, 2951, 1183, 1270, 1187],
  },
]

const encodings = new Map<number, Encoding>()
const elements = new Map<number, Encoding>()
for (const { encoding, oids, arrays } of types) {
  for (const oid of oids) encodings.set(oid, encoding)
  for (const oid of arrays) {
    encodings.set(oid, 'array')
    elements.set(oid, encoding)
  }
}

/** The encoding of a type, by its OID. */
export function encodingOf(oid: number): Encoding {
  return encodings.get(oid) ?? 'text'
}

/** The encoding of the elements of an array type, by the OID of the array. */
export function elementEncodingOf(oid: number): Encoding {
  return elements.get(oid) ?? 'text'
}

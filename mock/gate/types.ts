/**
 * Types that a statement may cast to, by their names in pg_type. The reg* types are missing on purpose: they look up
 * names in the catalogue.
 */
export const allowedTypes: ReadonlySet<string> = new Set(
  `bit bool bpchar bytea char date daterange float4 float8 int2 int4 int8 int4range int8range interval json
   jsonb jsonpath name numeric numrange record text time timestamp timestamptz timetz tsrange tstzrange uuid
   varbit varchar`.split(/\s+/),
)

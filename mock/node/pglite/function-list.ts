import { PGlite } from '@electric-sql/pglite'
import { judge, type Signature, type Verdict } from '../../gate/function-rules.ts'

/** The generated texts, by their file names in mock/gate/generated/. */
export type FunctionFiles = Readonly<Record<'allowed-functions.ts' | 'functions.tsv', string>>

/** Element types stand for their arrays; what the database itself calls is found through its catalogues. */
const readSignatures = `
WITH support(oid) AS (
  SELECT amproc::oid FROM pg_amproc
  UNION SELECT castfunc FROM pg_cast
  UNION SELECT unnest(ARRAY[rngcanonical::oid, rngsubdiff]) FROM pg_range
  UNION SELECT unnest(ARRAY[typinput::oid, typoutput, typreceive, typsend, typmodin, typmodout]) FROM pg_type
  UNION SELECT unnest(ARRAY[aggtransfn::oid, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn])
    FROM pg_aggregate
), scalar AS (
  SELECT t.oid, coalesce(e.typname, t.typname) AS name
  FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
)
SELECT proname AS name, prokind AS kind, provolatile AS volatility, lanname AS language, proisstrict AS strict,
  (SELECT coalesce(array_agg(name ORDER BY position), '{}')
    FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS a(oid, position) JOIN scalar USING (oid)) AS arguments,
  (SELECT name FROM scalar WHERE oid = prorettype) AS result,
  CASE WHEN p.oid IN (SELECT oprcode FROM pg_operator) THEN 'operator'
    WHEN p.oid IN (SELECT oid FROM support) THEN 'support' END AS behind
FROM pg_proc p JOIN pg_language l ON l.oid = prolang
WHERE pronamespace = 'pg_catalog'::regnamespace
ORDER BY name, arguments, p.oid`

/** Reads pg_proc of the installed PGlite. Takes the seconds of an initdb. */
export async function readFunctions(): Promise<Signature[]> {
  const database = await PGlite.create()
  try {
    return (await database.query<Signature>(readSignatures)).rows
  } finally {
    await database.close()
  }
}

/**
 * Writes the list the gate uses and the table for its reviewers: a line a name, so that a newer PGlite shows as
 * a diff.
 *
 * @throws Error naming the functions that neither a rule nor a decision covers
 */
export function functionFiles(signatures: readonly Signature[]): FunctionFiles {
  const verdicts = judge(signatures)
  const undecided = verdicts.filter(({ allowed }) => allowed === undefined).map(({ name }) => name)
  if (undecided.length > 0) {
    throw new Error(
      `Nobody decided about ${undecided.join(', ')}. Allow or refuse them in mock/gate/function-decisions.ts.`,
    )
  }
  const allowed = verdicts.filter(({ allowed }) => allowed).map(({ name }) => `  '${name}',\n`)
  return {
    'allowed-functions.ts':
      '// Written by mock/node/pglite/generate-functions.ts; do not edit.\n' +
      `export const allowedFunctionNames: readonly string[] = [\n${allowed.join('')}]\n`,
    'functions.tsv':
      'name\tverdict\tvolatility\tkind\tstrict\tlanguage\twhy\tsignatures, where allowed\n' +
      verdicts.map((verdict) => line(verdict, signatures)).join(''),
  }
}

function line({ name, allowed, why }: Verdict, signatures: readonly Signature[]): string {
  const overloads = signatures.filter((signature) => signature.name === name)
  const letters = (letter: (signature: Signature) => string) =>
    [...new Set(overloads.map(letter))].sort().join('')
  const types = overloads.map(({ arguments: types, result }) => `(${types.join(',')})${result}`)
  return [
    name,
    allowed ? 'allowed' : 'refused',
    letters(({ volatility }) => volatility),
    letters(({ kind }) => kind),
    letters(({ strict }) => (strict ? 'y' : 'n')),
    [...new Set(overloads.map(({ language }) => language))].sort().join(','),
    why,
    allowed ? types.join(' ') : '',
  ]
    .join('\t')
    .concat('\n')
}

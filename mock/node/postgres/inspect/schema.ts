import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import { defaultSchema } from '../options.ts'

/** What a name in a statement could mean in a schema besides a view. The rows of a view have a type, and its arrays another one. */
const foreignSql = `SELECT pg_describe_object(o.classid, o.oid, 0) FROM pg_namespace n, LATERAL (
    SELECT 'pg_proc'::regclass AS classid, oid FROM pg_proc WHERE pronamespace = n.oid
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace = n.oid
    UNION ALL SELECT 'pg_collation'::regclass, oid FROM pg_collation WHERE collnamespace = n.oid
    UNION ALL SELECT 'pg_conversion'::regclass, oid FROM pg_conversion WHERE connamespace = n.oid
    UNION ALL SELECT 'pg_ts_config'::regclass, oid FROM pg_ts_config WHERE cfgnamespace = n.oid
    UNION ALL SELECT 'pg_ts_dict'::regclass, oid FROM pg_ts_dict WHERE dictnamespace = n.oid
    UNION ALL SELECT 'pg_type'::regclass, t.oid FROM pg_type t WHERE typnamespace = n.oid AND typtype <> 'c'
      AND NOT EXISTS (SELECT FROM pg_type row WHERE row.typarray = t.oid AND row.typtype = 'c')) o
  WHERE n.nspname = $1 LIMIT 1`

/** That an object `o` belongs to an extension, as the extension. */
const extension = `pg_depend d JOIN pg_extension e ON (d.refclassid, d.refobjid) = ('pg_extension'::regclass, e.oid)
    WHERE (d.classid, d.objid, d.deptype) = (o.classid, o.oid, 'e')`

/**
 * What a superuser has added to PostgreSQL's own casts, operators and functions, and the SQL that helps. An operator class decides how
 * arrays and rows of a type are compared, by btree (403) and hash (405). A function of an extension under a name of its own cannot be
 * called through the analysis.
 */
const changedSql = `SELECT pg_describe_object(classid, oid, 0), coalesce((SELECT format('DROP EXTENSION %I', extname) FROM ${extension}), regexp_replace(
    format('DROP %s %s', upper(type), identity), '^DROP (\\w+) OF ACCESS METHOD \\w+ (.*) of (.*)$', 'ALTER OPERATOR FAMILY \\3 DROP \\1 \\2'))
  FROM (
    SELECT 'pg_cast'::regclass AS classid, oid FROM pg_cast
      WHERE oid >= 16384 AND castsource < 16384 AND (casttarget < 16384 OR castmethod = 'b' AND castcontext = 'i')
    UNION ALL SELECT o.classid, o.oid FROM (SELECT 'pg_proc'::regclass AS classid, * FROM pg_proc) o
      WHERE oid >= 16384 AND pronamespace = 'pg_catalog'::regnamespace AND (NOT EXISTS (SELECT FROM ${extension})
        OR proname IN (SELECT proname FROM pg_proc WHERE oid < 16384 UNION SELECT typname FROM pg_type WHERE oid < 16384))
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oid >= 16384 AND oprnamespace = 'pg_catalog'::regnamespace
    UNION ALL SELECT 'pg_opclass'::regclass, oid FROM pg_opclass WHERE oid >= 16384 AND opcdefault AND opcintype < 16384 AND opcmethod IN (403, 405)
    UNION ALL SELECT 'pg_amop'::regclass, a.oid FROM pg_amop a JOIN pg_opfamily f ON f.oid = amopfamily
      WHERE a.oid >= 16384 AND f.oid < 16384 AND amoplefttype < 16384 AND amoprighttype < 16384 AND opfmethod IN (403, 405)
    UNION ALL SELECT 'pg_amproc'::regclass, a.oid FROM pg_amproc a JOIN pg_opfamily f ON f.oid = amprocfamily
      WHERE a.oid >= 16384 AND f.oid < 16384 AND amproclefttype < 16384 AND amprocrighttype < 16384 AND opfmethod IN (403, 405)) o,
    pg_identify_object(classid, oid, 0)
  LIMIT 1`

/**
 * A column whose values a statement can make from a text in another way than the analysis knows: by names that are looked up, by fields,
 * or by what the owner of its type adds. It is a text for the analysis, and so are enums, domains and types of extensions.
 */
const columnsSql = `WITH RECURSIVE parts AS (
    SELECT c.oid AS view, relowner AS owner, attname AS name, atttypid AS type FROM pg_namespace n
      JOIN pg_class c ON relnamespace = n.oid JOIN pg_attribute ON attrelid = c.oid
      WHERE nspname = $1 AND relname = ANY($2) AND attnum > 0 AND NOT attisdropped
    UNION SELECT view, owner, name, part FROM parts JOIN pg_type ON oid = type, unnest(ARRAY[typelem, typbasetype]) part WHERE part <> 0),
  types AS (
    SELECT parts.*, typowner, typtype = 'c' OR typtype IN ('r', 'm') AND o.oid >= 16384 OR typname ~ '^(reg|aclitem)' AND o.oid < 16384 AS has_names,
      o.oid >= 16384 AND typarray <> 0 AND typowner <> owner AND NOT rolsuper AND NOT EXISTS (SELECT FROM ${extension}) AS is_of_others
    FROM parts, (SELECT 'pg_type'::regclass AS classid, * FROM pg_type) o JOIN pg_roles r ON r.oid = typowner WHERE o.oid = type)
  SELECT format('%s.%I', view::regclass, name), format_type(type, NULL) || CASE
    WHEN has_names THEN format(', in which a statement could look up other names than those of the views. Cast it in the view: %I::text', name)
    ELSE format(' of the role %s, which can add casts and conditions that run in statements. Run: ALTER TYPE %s OWNER TO %s; or cast it in the view: %I::text',
      typowner::regrole, type::regtype, owner::regrole, name) END
  FROM types WHERE has_names OR is_of_others LIMIT 1`

/** Who else may create in a schema. Its owner and superusers decide what the views are. */
const creatorsSql = `SELECT format('REVOKE CREATE ON SCHEMA %I FROM %s', nspname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
  FROM pg_namespace, aclexplode(nspacl)
  WHERE nspname = $1 AND privilege_type = 'CREATE' AND grantee <> nspowner
    AND NOT EXISTS (SELECT FROM pg_roles WHERE oid = grantee AND rolsuper) LIMIT 1`

/**
 * Proves that names mean on a host what they mean in the analysis: the views of a schema, and functions, operators, types and casts of
 * PostgreSQL (docs/decisions/0006).
 *
 * @throws DatabaseError if a statement could mean anything else, or others may create in the schema
 */
export async function checkSchema(client: pg.Client, host: string, schema: string): Promise<void> {
  const row = async (text: string, ...values: unknown[]): Promise<(string | undefined)[]> =>
    (await client.query({ text, values, rowMode: 'array' })).rows[0] ?? []
  const [encoding] = await row(`SELECT current_setting('server_encoding')`)
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `The database at ${host} has the encoding ${encoding}, in which names may end elsewhere than in UTF-8. Use a database with the encoding UTF8.`,
    )
  const [changed, undo] = await row(changedSql)
  if (changed !== undefined)
    throw new DatabaseError(
      `The database at ${host} changes what PostgreSQL means: ${changed}. Run: ${undo}; or use another database.`,
    )
  const [foreign] = await row(foreignSql, schema)
  if (foreign !== undefined) {
    const moved = schema === defaultSchema ? 'views' : defaultSchema
    throw new DatabaseError(
      `The schema ${schema} at ${host} has more than views: ${foreign}. A statement could mean it. Give the nine views a schema of their own, and name it with --schema: CREATE SCHEMA ${moved}; ALTER VIEW ${schema}.v_quantities SET SCHEMA ${moved}; and so on.`,
    )
  }
  const [remedy] = await row(creatorsSql, schema)
  if (remedy !== undefined)
    throw new DatabaseError(
      `Others may create functions in the schema ${schema} at ${host}, which a statement could mean. Run: ${remedy}; or give the nine views a schema of their own, and name it with --schema.`,
    )
  const names = views.map(({ name }) => name)
  const [column, type] = await row(columnsSql, schema, names)
  if (column !== undefined) throw new DatabaseError(`The column ${column} at ${host} has the type ${type}.`)
}

import type { ViewName } from '../../../schemas/generated/types.ts'
import { views } from '../../../schemas/views.ts'
import { permission } from '../../open-points/auth/permission.ts'
import {
  type EngineSettings,
  insufficientPrivilege,
  refused,
  SqlError,
  StatementRefused,
} from '../../statement.ts'
import { unknownRelation } from '../result/sql-errors.ts'

/** Longest statement in bytes of UTF-8: as much as a body can hold. The application has a lower limit. */
export const maxStatementBytes = 6 << 20

/** PostgreSQL reads a row of these to its end for each comment or sign in it: a megabyte of `/*` would take minutes. */
const longOperators = /(?<![~!@#^&|`?+\-*/%<>=])[~!@#^&|`?+\-*/%<>=]{501}/

/**
 * Refuses a text that does not reach PostgreSQL as it was sent: U+0000 ends it early on the wire, a lone surrogate silently becomes
 * another character. Also one that takes PostgreSQL's reader of texts too long.
 *
 * @throws StatementRefused
 */
export function refuseUnsafeText(text: string): void {
  if (text.includes('\0')) throw refused('The statement holds the character U+0000.', '22021')
  if (/\p{Surrogate}/u.test(text)) throw refused('The statement holds half a surrogate pair.', '22021')
  if (longOperators.test(text))
    throw refused(
      'The statement has more than 500 operator characters in a row. Put spaces between them.',
      '54000',
    )
  // three bytes of UTF-8 a UTF-16 unit at most: the exact count is only needed near the limit
  if (text.length * 3 <= maxStatementBytes) return
  if (new TextEncoder().encode(text).length > maxStatementBytes)
    throw refused(`The statement is longer than ${maxStatementBytes} bytes. Split it.`, '54000')
}

/** The text is SQL, and no query. */
export class NoQuery extends StatementRefused {
  constructor(message = 'The text is not a query. Send one statement: SELECT, VALUES, TABLE or WITH.') {
    super('other', message, '0A000')
  }
}

/** Lets PostgreSQL parse a text outside of a transaction, which executes nothing. */
type Parse = (text: string) => Promise<SqlError | undefined>

/**
 * The error of a text that PostgreSQL refused as a query. If its grammar is the reason, that of the text on its own is the one to
 * report: PostgreSQL looks up the relations of INSERT, and finds an error of syntax where it is.
 */
export async function explainRefusal(text: string, error: SqlError, parse: Parse): Promise<SqlError> {
  if (/^DECLARE CURSOR .* data-modifying/.test(error.message)) return new NoQuery()
  const isDenied = deniedSchema.test(error.message)
  // a name in a value is only looked up when the statement runs
  const own =
    error.kind === 'syntax' || isDenied ? ((await parse(text)) ?? (isDenied ? error : undefined)) : error
  if (!own) return new NoQuery(text.trim() === '' ? 'The text is empty. Send one statement.' : undefined)
  if (own.message.startsWith('cannot insert multiple commands'))
    return refused('The text holds several statements. Send exactly one.', '42601')
  const schema = deniedSchema.exec(own.message)?.[1]
  if (schema === 'public')
    return refused(
      "Nothing of the schema public is available. Write the names of views without a schema, and use PostgreSQL's own functions, types and operators.",
    )
  return schema === undefined ? own : unknownSchema(schema, text, own.position, parse)
}

const deniedSchema = /^permission denied for schema (.*)$/s

/** The error of a name in a schema that the role may not use, as if there were none. */
async function unknownSchema(schema: string, text: string, at: number, parse: Parse): Promise<SqlError> {
  const before = [...text].slice(0, at - 1).join('')
  // with another database before it, PostgreSQL says the name of a relation
  const other = await parse(`${before}x.${text.slice(before.length)}`)
  const [, relation] =
    /^cross-database references are not implemented: "x\.(.*)"$/s.exec(other?.message ?? '') ?? []
  const error =
    relation === undefined
      ? new SqlError('other', `schema "${schema}" does not exist`, '3F000')
      : unknownRelation(relation)
  return Object.assign(error, { position: at })
}

/** There is no enum; see hideNames. */
const namingType = /^invalid input value for enum (\w+): /
const deniedRelation = /^permission denied for (?:table|view|materialized view|sequence) (.*)$/s

/**
 * The error of a relation that the role may not read: it does not exist for a client, because the contract has nine views.
 * `auth.permission` withholds one of them.
 */
export function explainDenial(error: SqlError, settings: EngineSettings): SqlError {
  const type = namingType.exec(error.message)?.[1]
  if (type) return new SqlError('other', `permission denied for type ${type}`, insufficientPrivilege)
  if (error.sqlState !== insufficientPrivilege) return error
  const relation = deniedRelation.exec(error.message)?.[1]
  if (!relation) return error
  const { views: changes, deniedStatus } = permission(settings)
  const isWithheld = changes?.[relation as ViewName]?.isWithheld === true
  // such as FOR UPDATE of a view
  if (viewNames.has(relation) && !isWithheld) return error
  if (!isWithheld || deniedStatus === undefined) return unknownRelation(relation, insufficientPrivilege)
  return new SqlError('other', error.message, insufficientPrivilege, relation)
}

const viewNames: ReadonlySet<string> = new Set(views.map(({ name }) => name))

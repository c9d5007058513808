import type { ViewName } from '../../../schemas/index.ts'
import { readReply } from '../../connection/http/reply.ts'
import { changing, spell, spellings, type Transformation } from '../../connection/requests/spellings.ts'
import { rowsOf } from '../../connection/rows.ts'
import { MOST_ROWS } from '../../connection/samples/large.ts'
import { joinSpelling } from '../../connection/samples/join.ts'
import { unknownColumn } from '../../connection/samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { OwnRows } from '../../search/own-rows.ts'
import { questionOf, SideBySide, type Comparison, type Question } from '../../search/side-by-side.ts'
import { documentedKind } from '../../search/statements/classify.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { randomOf } from '../../connection/values/random.ts'
import { spread } from '../../search/statements/spread.ts'
import type { Query } from '../../search/statements/syntax.ts'
import { check, compared, fail, observed, type Check, type Finding } from '../check.ts'

const formOf = (query: Query): string => {
  const kind = documentedKind(query)
  return kind === 'select' && query.items.includes('*') ? 'all' : kind
}

/** The requirement of each form that a lost clause breaks, its mutant, and its name. Named columns come first, as they show how names are read. */
const forms: Record<string, [requirement: string, mutant: string, name: string]> = {
  select: ['REQ-SQL-2', 'spelling-column-null', 'a SELECT of named columns'],
  all: ['REQ-SQL-1', 'spelling-view-empty', 'a SELECT of all columns'],
  limit: ['REQ-SQL-3', 'spelling-limit-lost', 'a LIMIT'],
  'delta-by-date': ['REQ-DELTA-6', 'spelling-filter-lost', 'a filter by a date'],
  'delta-by-newest': ['REQ-DELTA-7', 'spelling-filter-reversed', 'a filter by a subquery'],
  join: ['REQ-JOIN-1', 'spelling-join-inner', 'a LEFT JOIN'],
}

/** The statement of each form with the fewest rows, of which a lost clause changes the number. A join has rows without a partner, if one does. */
async function questions(t: Target, own: OwnRows): Promise<Map<string, Question>> {
  const { as } = await joinSpelling(t)
  const values = await own.values()
  const best = new Map<string, { rows: number; question: Question }>()
  for (const query of spread({ random: randomOf(1), values, views: own.views, as }, own.changing)) {
    const question = questionOf(query)
    const expected = await own.expected(question.choice ?? question)
    if ('unknown' in expected) continue
    const { limit = Infinity, join, after, from } = query
    const count = Math.min(limit, expected.rows.length)
    const isInner = join && !expected.rows.some((row) => lacksPartner(query, row))
    const rows = isInner ? count + MOST_ROWS : count
    const size = join || !(after ?? query.limit) ? Infinity : values.size(from.view as ViewName)
    // LIMIT has a form of its own, and --max-rows may forbid it.
    const isOwn = limit === Infinity || (!join && !after && limit <= t.rows(limit))
    if (isOwn && rows > 0 && rows < Math.min(size, best.get(formOf(query))?.rows ?? Infinity))
      best.set(formOf(query), { rows, question })
  }
  return new Map([...best].map(([form, { question }]) => [form, question]))
}

const lacksPartner = ({ items, join }: Query, row: JsonObject): boolean =>
  items.every((item) => item === '*' || item.of !== join?.source.alias || row[item.name] === null)

/** Compares the forms in other spellings, one after another. A transformation that is refused once is not used again. */
async function respell(t: Target): Promise<Map<string, Finding>> {
  const own = await OwnRows.read(t)
  const both = new SideBySide(t, own, (sql) => t.shared(sql))
  const refused = new Set<Transformation>()
  const findings = new Map<string, Finding>()
  const asked = await questions(t, own)
  for (const form of Object.keys(forms)) {
    const question = asked.get(form)
    if (question) findings.set(form, await respelled(both, question, refused))
  }
  return findings
}

async function respelled(
  both: SideBySide,
  question: Question,
  refused: Set<Transformation>,
): Promise<Finding> {
  const { sql } = question
  if ((await both.compare(question)).is !== 'same')
    return observed(`\`${sql}\` does not have the rows of its view in the usual spelling`)
  const used = new Set<Transformation>()
  /** The fewest of some transformations that differ. A refusal is asked about in halves, so that it hides no other one. */
  const differing = async (by: readonly Transformation[]): Promise<Found | undefined> => {
    if (by.length === 0) return undefined
    const asked = { ...question, sql: spell(sql, by) }
    const result = await both.compare(asked)
    if (result.is === 'same') for (const one of by) used.add(one)
    const [first] = by
    if (
      by.length === 1 &&
      (result.is === 'refused' || (await isOtherDialect(both.target, first!, asked, result)))
    ) {
      refused.add(first!)
      return undefined
    }
    if (result.is === 'refused') {
      const half = by.length >> 1
      return (await differing(by.slice(0, half))) ?? differing(by.slice(half))
    }
    if (result.is !== 'differs') return undefined
    if (by.length > 1)
      for (const one of by) {
        const alone = await differing([one])
        if (alone) return alone
      }
    const rest = by.filter((one) => !refused.has(one))
    return rest.length < by.length ? differing(rest) : { by, asked, result }
  }
  for (const spelling of spellings) {
    const found = await differing(changing(sql, spelling).filter((one) => !refused.has(one)))
    if (!found || !(await both.differsAlways(found.asked))) continue
    const { difference, exchanges } = found.result
    const how = found.by.map(({ name }) => name).join(', ')
    const message = `${JSON.stringify(found.asked.sql)} (${how}) does not have the rows of \`${sql}\`: ${difference.message}`
    return fail({ ...difference, message, exchanges })
  }
  const names = [...refused].map(({ name }) => name)
  const rest = names.length > 0 ? `; not served: ${names.join(', ')}` : ''
  if (used.size === 0) return observed(`no other spelling is served${rest}`)
  return compared(used.size, 'transformation', `the rows of the usual spelling${rest}`)
}

interface Found {
  by: readonly Transformation[]
  asked: Question
  result: Extract<Comparison, { is: 'differs' }>
}

/**
 * Whether a correct service reads columns in another way: as texts, where these may have double quotes; or as columns that it does not
 * know and that are null, in a store without a schema.
 */
async function isOtherDialect(t: Target, { name }: Transformation, asked: Question, result: Comparison) {
  if (result.is !== 'differs' || !name.startsWith('columns')) return false
  const { query, columns, star } = asked
  const rows = (rowsOf(readReply(result.exchanges.at(-1)!), columns, !star)?.rows ?? []).map(Object.values)
  // A comparison with a text, or with null, may be true for no row.
  if (rows.length === 0 && !query.after) return false
  const areTexts =
    name.includes('quotes') && rows.every((row) => row.some((value) => columns.includes(value)))
  return areTexts || (rows.flat().every((value) => value === null) && (await unknownColumn(t)).ok)
}

/** Checks of other spellings. Nobody fails for a refusal, because the contract shows one spelling of each form. */
export const spellingChecks: Check[] = Object.entries(forms).map(([form, [requirement, mutant, name]]) =>
  check({
    id: `sql.spelling:${form}`,
    requirement,
    title: `return the same rows for another spelling of ${name}, if it is served`,
    killedBy: [mutant],
    repeats: true,
    run: async (t) => {
      const findings = await t.once('spellings', () => respell(t))
      return findings.get(form) ?? observed('no view that can be read whole has rows for this form')
    },
  }),
)

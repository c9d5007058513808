import type { ViewName } from '../../../schemas/index.ts'
import { readReply } from '../../connection/http/reply.ts'
import { changing, spell, spellings, type Transformation } from '../../connection/requests/spellings.ts'
import { rowsOf } from '../../connection/rows.ts'
import { MOST_ROWS } from '../../samples/large.ts'
import { joinSpelling } from '../../samples/join.ts'
import { unknownColumn } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { OwnRows } from '../../search/own-rows.ts'
import { questionOf, SideBySide, type Comparison, type Question } from '../../search/side-by-side.ts'
import { documentedKind } from '../../search/statements/classify.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { randomOf } from '../../connection/values/random.ts'
import { reductions } from '../../search/statements/reductions.ts'
import { render } from '../../search/statements/render.ts'
import { FEW_TRIES, shrink } from '../../search/statements/shrink.ts'
import { spread } from '../../search/statements/spread.ts'
import type { Query } from '../../search/statements/syntax.ts'
import { check, compared, fail, observed, type Check, type Finding } from '../check.ts'

const formOf = (query: Query): string => {
  const kind = documentedKind(query)
  return kind === 'select' && query.items.includes('*') ? 'all' : kind
}

/** The requirement of each form that a lost clause breaks, its name, and its mutants. Named columns come first, as they show how names are read. */
const forms: Record<string, [requirement: string, name: string, ...mutants: string[]]> = {
  select: ['REQ-SQL-2', 'a SELECT of named columns', 'spelling-column-null'],
  all: ['REQ-SQL-1', 'a SELECT of all columns', 'spelling-view-empty', 'spelling-limit-of-comment'],
  limit: ['REQ-SQL-3', 'a LIMIT', 'spelling-limit-lost', 'spelling-tabs-lost', 'spelling-limit-overlooked'],
  'delta-by-date': ['REQ-DELTA-6', 'a filter by a date', 'spelling-filter-lost', 'spelling-quote-of-comment'],
  'delta-by-newest': [
    'REQ-DELTA-7',
    'a filter by a subquery',
    'spelling-filter-reversed',
    'spelling-semicolon-of-comment',
  ],
  join: ['REQ-JOIN-1', 'a LEFT JOIN', 'spelling-join-inner'],
}

/** The statement of each form with the fewest rows, or with the highest LIMIT, of which a lost clause changes the number. A join has rows without a partner, if one does. */
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
    const form = formOf(query)
    const known = best.get(form)?.rows
    // A target that overlooks LIMIT may have one of its own, such as 50.
    const isBetter = known === undefined || (form === 'limit' ? rows > known : rows < known)
    if (isOwn && rows > 0 && rows < size && isBetter) best.set(form, { rows, question })
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
  if ((await both.compare(question)).is !== 'same')
    return observed(`\`${question.sql}\` does not have the rows of its view in the usual spelling`)
  const used = new Set<Transformation>()
  const isRefused = (one: Transformation) => refused.has(one)
  const compare = async ({ query, by }: Spelled): Promise<Found | 'refused' | undefined> => {
    const asked = { ...questionOf(query), sql: textOf({ query, by }) }
    const result = await both.compare(asked)
    if (result.is === 'same') for (const one of by) used.add(one)
    const isLast = by.length === 1
    if (isLast && (result.is === 'refused' || (await isOtherDialect(both.target, by[0]!, asked, result)))) {
      refused.add(by[0]!)
      return undefined
    }
    if (result.is === 'refused') return 'refused'
    return result.is === 'differs' ? { query, by, asked, result } : undefined
  }
  /** The smallest statement with the fewest of some transformations that differs. A refusal is asked about in halves, so that it hides no other one. */
  const differing = async (by: readonly Transformation[]): Promise<Found | undefined> => {
    if (by.length === 0) return undefined
    const found = await compare({ query: question.query, by })
    if (found === 'refused') {
      const half = by.length >> 1
      return (await differing(by.slice(0, half))) ?? differing(by.slice(half))
    }
    if (!found) return undefined
    const shows = async (one: Spelled) => {
      const isOther = one.query !== question.query
      if (one.by.some(isRefused) || (isOther && (await both.compare(questionOf(one.query))).is !== 'same'))
        return undefined
      const shown = await compare(one)
      return shown === 'refused' ? undefined : shown
    }
    const smallest = await shrink<Spelled, Found>(steps, found, found, shows, FEW_TRIES)
    return by.some(isRefused) ? differing(by.filter((one) => !isRefused(one))) : smallest.found
  }
  for (const spelling of spellings) {
    const found = await differing(changing(question.sql, spelling).filter((one) => !isRefused(one)))
    if (!found || !(await both.differsAlways(found.asked))) continue
    const { difference, exchanges } = found.result
    const how = found.by.map(({ name }) => name).join(', ')
    const message = `${JSON.stringify(found.asked.sql)} (${how}) does not have the rows of \`${render(found.query)}\`: ${difference.message}`
    return fail({ ...difference, message, cause: `another spelling: ${how}`, exchanges })
  }
  const names = [...refused].map(({ name }) => name)
  const rest = names.length > 0 ? `; not served: ${names.join(', ')}` : ''
  if (used.size === 0) return observed(`no other spelling is served${rest}`)
  return compared(used.size, 'transformation', `the rows of the usual spelling${rest}`)
}

/** A statement, and how it is spelled. */
interface Spelled {
  query: Query
  by: readonly Transformation[]
}

interface Found extends Spelled {
  asked: Question
  result: Extract<Comparison, { is: 'differs' }>
}

const textOf = ({ query, by }: Spelled): string => spell(render(query), by)

/** With fewer transformations, then with a simpler query of the same form. */
const simpler = ({ query, by }: Spelled): Spelled[] => [
  ...(by.length > 1 ? by.map((one) => ({ query, by: [one] })) : []),
  ...(by.length > 2 ? by.map((one) => ({ query, by: by.filter((other) => other !== one) })) : []),
  ...reductions(query)
    .filter((one) => formOf(one) === formOf(query))
    .map((one) => ({ query: one, by: changing(render(one), by) }))
    .filter((one) => one.by.length > 0),
]

const steps = { reductions: simpler, text: textOf }

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
export const spellingChecks: Check[] = Object.entries(forms).map(([form, [requirement, name, ...killedBy]]) =>
  check({
    id: `sql.spelling:${form}`,
    requirement,
    title: `return the same rows for another spelling of ${name}, if it is served`,
    killedBy,
    repeats: true,
    run: async (t) => {
      const findings = await t.once('spellings', () => respell(t))
      return findings.get(form) ?? observed('no view that can be read whole has rows for this form')
    },
  }),
)

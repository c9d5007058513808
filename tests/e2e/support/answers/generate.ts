import { type Random, randomOf } from '../../../../base/random/random.ts'
import { contract } from '../../../../schemas/contract.ts'
import type { ViewName } from '../../../../schemas/generated/types.ts'
import { view } from '../../../../schemas/views.ts'
import { expressions, words } from './expressions.ts'
import { failing, forms } from './forms.ts'

/** A text that may need some PostgreSQL or later. */
interface Versioned {
  readonly sql: string
  readonly since: number
}

/** The parts of a text such as `SELECT 1 | @16 SELECT 0x1`. */
export const partsOf = (text: string): Versioned[] =>
  text
    .trim()
    .split(/\s+\|\s/)
    .map((part) => ({ sql: part.replace(/^@\d+ /, ''), since: Number(/^@(\d+) /.exec(part)?.[1] ?? 0) }))

const partsByName = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([name, text]) => [name, partsOf(text)]))

const [byType, byWord] = [partsByName(expressions), partsByName(words)]
const [working, broken] = [partsOf(forms), partsOf(failing)]
const nests = new RegExp(`\\$(${[...byType.keys()].join('|')})\\b`)
/** The templates without expressions in them. Columns are drawn more often than constants. */
const leaves = new Map(
  [...byType].map(([type, templates]) => {
    const own = templates.filter(({ sql }) => !nests.test(sql))
    const columns = own.filter(({ sql }) => sql.startsWith('$column'))
    return [type, [...own, ...columns, ...columns, ...columns, ...columns]]
  }),
)

/** Each template that statements are made of. */
export const allTemplates = [...working, ...broken, ...[...byType.values()].flat()].map(({ sql }) => sql)

/** The PostgreSQL types of the columns that an expression may name. */
const columnTypes: Readonly<Record<string, string>> = {
  text: 'text',
  number: 'float8 numeric',
  time: 'timestamptz',
  boolean: 'boolean',
  json: 'jsonb',
}

const viewOf = (path: string) => path.split('.')[0] as ViewName

/** Two views and what relates them, in both directions. */
const pairs = [
  ...contract.relations,
  contract.parent,
  { from: 'v_archived_records.record_id', to: 'v_experiments.id' },
].flatMap(({ from, to }) => {
  const on = (one: string, other: string) => `${from} = ${to}`.replace(/v_\w+(.*)v_\w+/, `${one}$1${other}`)
  return [
    { a: viewOf(from), b: viewOf(to), on: on('a', 'b') },
    { a: viewOf(to), b: viewOf(from), on: on('b', 'a') },
  ]
})

/** Deals all its cards before it shuffles them again, so that none is rare. */
class Deck<Card> {
  readonly #cards: readonly Card[]
  readonly #random: Random
  #left: Card[] = []

  constructor(cards: readonly Card[], random: Random) {
    this.#cards = cards
    this.#random = random
  }

  draw(): Card {
    if (this.#left.length === 0) this.#left = this.#random.shuffled(this.#cards)
    return this.#left.pop()!
  }
}

const placeholder = /\$([a-z]+)(?:@([ab]*))?/g

/** Writes statements of a seed. */
class Writer {
  templates: string[] = []
  since = 0
  readonly #random: Random
  readonly #decks: readonly ReadonlyMap<string, Deck<Versioned>>[]
  #pair = pairs[0]!

  constructor(random: Random) {
    this.#random = random
    this.#decks = [leaves, byType].map(
      (templates) => new Map([...templates].map(([type, cards]) => [type, new Deck(cards, random)])),
    )
  }

  /** A statement without its constants. */
  start(form: Versioned): string {
    this.templates = []
    this.since = 0
    this.#pair = this.#random.pick(pairs)
    return this.#write(form, 'a', this.#random.integer(1, 3))
  }

  /** @param scope the aliases whose columns expressions may name @param depth how many expressions may nest */
  #write({ sql, since }: Versioned, scope: string, depth: number): string {
    this.templates.push(sql)
    this.since = Math.max(this.since, since)
    return sql.replace(placeholder, (all, word: string, inner = scope) =>
      byWord.has(word) ? all : this.#word(word, inner as string, depth),
    )
  }

  #word(word: string, scope: string, depth: number): string {
    const deck = this.#decks[depth > 0 ? 1 : 0]!.get(word)
    if (deck) return this.#write(deck.draw(), scope, depth - 1)
    if (word.startsWith('column')) return this.#column(word.slice('column'.length), scope)
    const { a, b, on } = this.#pair
    const names = { a: `${a} a`, b: `${b} b`, on, first: contract.keys[a][0]!, id: this.#keys(scope) }
    return names[word as keyof typeof names]
  }

  #keys = (scope: string): string =>
    [...scope]
      .flatMap((alias) => contract.keys[this.#pair[alias as 'a']].map((key) => `${alias}.${key}`))
      .join(', ')

  /** A column of a type; an expression without columns if there is none. */
  #column(type: string, scope: string): string {
    const columns = [...scope].flatMap((alias) =>
      view(this.#pair[alias as 'a'])
        .columns.filter(({ postgres }) => columnTypes[type]!.includes(postgres))
        .map(({ name }) => `${alias}.${name}`),
    )
    return columns.length > 0 ? this.#random.pick(columns) : this.#word(type, '', 0)
  }
}

/**
 * Statements of a seed; a fifth is meant to fail. Two in a row differ in constants alone, so that the server may answer the second from
 * what it remembers of the first.
 */
export function generated(seed: number, count: number) {
  const random = randomOf(seed, 'statements')
  const writer = new Writer(random)
  const [works, breaks] = [new Deck(working, random), new Deck(broken, random)]
  return Array.from({ length: Math.ceil(count / 2) }, (_, n) => {
    const fails = n % 5 === 0
    const form = writer.start((fails ? breaks : works).draw())
    const { templates, since } = writer
    const complete = () => form.replace(placeholder, (_, word: string) => random.pick(byWord.get(word)!).sql)
    return [complete(), complete()].map((sql) => ({ sql, fails, since, templates }))
  }).flat()
}

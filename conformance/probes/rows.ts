import { view, views } from '../../schemas/index.ts'
import { joinOfAll } from '../connection/samples/join.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { duplicateNames } from '../comparisons/duplicate-names.ts'
import { canonical, isObject, type Json, type JsonObject } from '../connection/json.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import type { Selection, Target } from '../connection/target.ts'
import { granted } from './liberties.ts'
import { counted, listed, tally, theOne } from './reading.ts'

async function shape(t: Target): Promise<Seen | undefined> {
  const { rows, shape } = await t.sample('v_bioprocesses')
  return rows.length === 0
    ? undefined
    : { variant: shape, seen: `in ${counted(rows.length, 'row')}: ${shape}` }
}

async function duplicates(t: Target): Promise<Seen | undefined> {
  const { reply } = await joinOfAll(t)
  if (!reply.ok) return { variant: 'error', seen: 'the documented join is refused' }
  const variant = duplicateNames(reply)
  return variant === undefined ? undefined : { variant, seen: `in the documented join: ${variant}` }
}

/** The keys of the first row as they came, without what stands before a dot. */
function keysOfFirst({ data: [first] }: Reply): string[] {
  const row = isObject(first) && isObject(first['row']) ? first['row'] : first
  return isObject(row) ? Object.keys(row).map((key) => key.slice(key.lastIndexOf('.') + 1)) : []
}

const isUpper = (key: string) => key === key.toUpperCase()
const isLower = (key: string) => key === key.toLowerCase()

async function letterCase(t: Target): Promise<Seen | undefined> {
  const keys = keysOfFirst((await t.sample('v_bioprocesses')).reply)
  if (keys.length === 0) return undefined
  if (keys.every(isUpper)) return { variant: 'upper', seen: 'upper case' }
  if (!keys.every(isLower))
    return { variant: keys.some((key) => key.includes('_')) ? undefined : 'camel', seen: 'mixed case' }
  const { served, reply } = await granted(t, 'capitals')
  const [key] = keysOfFirst(reply)
  if (!served || key === undefined) return { seen: 'lower case, as the statement spells the names' }
  return isUpper(key)
    ? { variant: 'as-stored', seen: 'as the statement spells the names' }
    : { variant: isLower(key) ? 'lower' : undefined, seen: 'lower case, also of names in capitals' }
}

/** How nullable columns without a value are written, in the samples of all views. */
async function nulls(t: Target): Promise<Seen | undefined> {
  const kinds: string[] = []
  for (const { name, columns } of views) {
    const sample = await unlessRefused(t.sample(name))
    const nullable = columns.filter((column) => column.nullable && sample?.columns.includes(column.name))
    for (const row of sample?.rows ?? [])
      for (const column of nullable) {
        const value = row[column.name]
        if (value === undefined) kinds.push('omitted')
        else if (value === null) kinds.push('null')
        else if (value === '') kinds.push('empty-string')
      }
  }
  if (kinds.length === 0) return undefined
  const some = (kind: string) => kinds.includes(kind)
  // Beside nulls an empty text is a value like any other.
  const variant = theOne({
    null: some('null') && !some('omitted'),
    omitted: some('omitted') && !some('null'),
    'empty-string': !some('null') && !some('omitted'),
  })
  return { variant, seen: tally(kinds) }
}

/** One row more than the bound that services are known to have; the rows are short. */
const BOUND = 1000
const LONG = `SELECT id FROM v_timeseries_data LIMIT ${BOUND + 1}`

async function mostRows(t: Target): Promise<Seen | undefined> {
  const reply = await t.shared(LONG)
  const seen = `LIMIT ${BOUND + 1} was answered with HTTP ${reply.status} and ${reply.data.length} rows`
  if (!reply.ok) {
    const control = await t.query(`SELECT id FROM v_timeseries_data LIMIT ${BOUND}`)
    if (!control.ok) return undefined
    return { variant: reply.status === 413 ? '413-1000' : 'error-1000', seen }
  }
  if (reply.data.length > BOUND)
    return { variant: 'none', seen: `${seen}; longer answers were not asked for` }
  if (reply.data.length < BOUND) return undefined
  const { headers } = reply.exchange.response!
  const next = /rel="?next/.test(headers.get('link') ?? '')
  const says = reply.envelope!.body['truncated'] === true
  return { variant: next ? 'next-link-1000' : says ? 'truncated-1000' : 'cut-1000', seen }
}

async function extraColumns(t: Target): Promise<Seen | undefined> {
  const extra: string[] = []
  let read = 0
  for (const { name, columns } of views) {
    const all = await unlessRefused(t.selectAll(name, `LIMIT ${t.rows(200)}`))
    if (!all || all.rows.length === 0) continue
    read++
    const keys = new Set(all.rows.flatMap((row) => Object.keys(row)))
    for (const key of keys) if (!columns.some((column) => column.name === key)) extra.push(`${name}.${key}`)
  }
  if (read === 0) return undefined
  if (extra.length > 0) return { variant: 'additive', seen: `further columns: ${listed(extra)}` }
  return { variant: 'none', seen: `no further columns in ${counted(read, 'view')}` }
}

const inOrder = (rows: readonly JsonObject[]): string => canonical(rows.map(({ id }): Json => id ?? null))

/** Another projection may be read in another order, so only the very same statement shows that it changes. */
async function order(t: Target): Promise<Seen | undefined> {
  const named = await t.sample('v_quantities')
  if (named.rows.length < 10) return undefined
  const all = await unlessRefused(t.selectAll('v_quantities', `LIMIT ${t.rows(200)}`))
  const same = (other: Selection) => inOrder(other.rows) === inOrder(named.rows)
  if ((all && same(all)) || same(await t.select(named.sql, named.columns)))
    return { variant: 'stable', seen: `${counted(named.rows.length, 'row')} in the same order twice` }
  return { variant: 'random', seen: `${counted(named.rows.length, 'row')} in another order the second time` }
}

const UPDATED = 'last_updated_at'

async function pointUpdates(t: Target): Promise<Seen | undefined> {
  if (!view('v_timeseries_data').columns.some(({ name }) => name === UPDATED)) return undefined
  const all = await unlessRefused(t.selectAll('v_timeseries_data', `LIMIT ${t.rows(200)}`))
  if (all && all.rows.length > 0) {
    const present = all.rows.some((row) => UPDATED in row)
    return { variant: present ? 'present' : 'absent', seen: `${present ? 'in' : 'not in'} SELECT *` }
  }
  const reply = await t.shared(`SELECT ${UPDATED} FROM v_timeseries_data LIMIT 1`)
  const seen = `SELECT ${UPDATED} was answered ${describeReply(reply)}`
  if (reply.ok) return { variant: 'present', seen }
  return (await t.exists('v_timeseries_data')) ? { variant: 'absent', seen } : undefined
}

export const rowProbes: Probe[] = [
  probe({ silence: 'NS-12', observe: shape }),
  probe({ silence: 'NS-13', observe: duplicates }),
  probe({ silence: 'NS-14', observe: letterCase }),
  probe({ silence: 'NS-15', observe: nulls }),
  probe({ silence: 'NS-36', observe: mostRows }),
  probe({ silence: 'NS-38', observe: extraColumns }),
  probe({ silence: 'NS-54', observe: order }),
  probe({ silence: 'NS-65', observe: pointUpdates }),
]

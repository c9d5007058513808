import { view } from '../../schemas/index.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { plain, typeOf, type Json, type JsonObject } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'
import {
  counted,
  haveKeys,
  keysIn,
  objectsIn,
  rowsOf,
  tally,
  textsIn,
  theOne,
  typesOf,
  valuesOf,
} from './reading.ts'
import { msBetween, near } from './times.ts'

function singleValue(values: readonly Json[]): Seen | undefined {
  const filled = values.filter((value) => value !== null)
  const objects = objectsIn(filled)
  if (filled.length === 0) return undefined
  if (objects.length < filled.length) {
    const numbers = filled.every((value) => typeOf(value) === 'number')
    return { variant: numbers ? 'bare-number' : undefined, seen: typesOf(filled) }
  }
  const regressions = objects.filter((object) => 'r2' in object || 'n' in object)
  const variant = theOne({
    value: haveKeys(objects, ['value']),
    'value-unit': haveKeys(objects, ['value', 'unit']),
    'value-unit-r2-n':
      haveKeys(objects, ['value', 'unit'], ['r2', 'n']) &&
      haveKeys(regressions, ['value', 'unit', 'r2', 'n']),
  })
  return { variant, seen: keysIn(objects) }
}

const STATES = ['ready', 'draft', 'error', 'computing', 'calculating', 'archived']

function states(values: readonly Json[]): Seen | undefined {
  const words = new Set(textsIn(values))
  if (words.size === 0) return undefined
  const others = [...words].filter((word) => word !== 'ready')
  const [only] = others
  const many = others.length > 1 && others.every((word) => ['draft', 'error', 'computing'].includes(word))
  const variant = many || only === 'computing' ? 'ready-draft-error-computing' : only
  const known = STATES.filter((word) => words.has(word))
  const unknown = [...words].filter((word) => !STATES.includes(word)).length
  return {
    variant: many || others.length === 1 ? variant : undefined,
    seen: [...known, ...(unknown > 0 ? [counted(unknown, 'further word')] : [])].join(', '),
  }
}

/** From where the times of one series and its offset count; undefined where several answers fit. */
function originOf(row: JsonObject, run: JsonObject): string | undefined {
  const { timeseries, timeseries_offset_ms: offset } = plain(row) as Record<string, unknown>
  const [first] = (timeseries as { times_ms?: unknown[] } | null)?.times_ms ?? []
  const start = row['timeseries_start_timestamp']
  const intoRun = msBetween(run['run_start_timestamp'], start)
  const intoRecord = msBetween(run['start_timestamp'], run['run_start_timestamp'])
  const since1970 = msBetween('1970-01-01T00:00:00Z', start)
  if (typeof first !== 'number' || typeof offset !== 'number' || intoRun === undefined) return undefined
  const fits = {
    'series-start': near(intoRun, offset) && near(0, first),
    'run-start': near(intoRecord, offset) && near(intoRun, first),
    epoch: near(since1970, offset) && near(since1970, first),
  }
  return theOne(fits) ?? (Object.values(fits).some(Boolean) ? undefined : 'other')
}

async function origin(t: Target): Promise<Seen | undefined> {
  const runs = new Map((await rowsOf(t, 'v_bioprocesses')).map((run) => [run['id'], run]))
  const rows = await rowsOf(t, 'v_formula_results')
  const fits = rows.flatMap((row) => {
    const run = runs.get(row['bioprocess_id'])
    return (run && originOf(row, run)) ?? []
  })
  if (fits.length === 0) return undefined
  return { variant: new Set(fits).size === 1 ? fits[0] : undefined, seen: `in series: ${tally(fits)}` }
}

const STATISTICS = view('v_formula_results').columns.filter(({ name }) =>
  name.startsWith('timeseries_statistics_'),
)

function scalarStatistics(rows: readonly JsonObject[]): Seen | undefined {
  const single = rows.filter(({ timeseries = null, data = null }) => timeseries === null && data !== null)
  const kinds = single.map((row) => {
    const values = STATISTICS.map(({ name }) => row[name] ?? null)
    if (values.every((value) => value === null)) return 'null'
    return values.some((value) => value === null) ? 'partly filled' : 'filled'
  })
  if (kinds.length === 0) return undefined
  return { variant: new Set(kinds).size === 1 ? kinds[0] : undefined, seen: `in rows: ${tally(kinds)}` }
}

export const formulaProbes: Probe[] = [
  probe({
    silence: 'NS-08',
    observe: async (t) => singleValue(await valuesOf(t, 'v_formula_results', 'data')),
  }),
  probe({ silence: 'NS-09', observe: async (t) => states(await valuesOf(t, 'v_formulas', 'state')) }),
  probe({ silence: 'NS-61', observe: origin }),
  probe({
    silence: 'NS-66',
    observe: async (t) => scalarStatistics(await rowsOf(t, 'v_formula_results')),
  }),
]

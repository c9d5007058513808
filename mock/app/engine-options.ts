import { changes } from '../engine/data-variants/changes.ts'
import {
  type DataVariants,
  defaultRowFormat,
  defaultSqlRules,
  type ExecuteOptions,
  type RowFormat,
  type SqlRules,
} from '../engine/engine.ts'
import { withheldBy } from './auth/permission.ts'
import type { Behaviour } from './behaviour.ts'

/** The part of a behaviour that the engine reads when it writes rows. */
export function rowFormat(behaviour: Behaviour): RowFormat {
  return {
    shape: behaviour['rows.shape'],
    duplicates: behaviour['rows.duplicates'],
    order: behaviour['rows.order'],
    nulls: behaviour['rows.nulls'],
    timestamps: behaviour['ts.format'],
    precision: behaviour['delta.precision'],
    case: behaviour['rows.case'],
    numbers: behaviour['num.encoding'],
    nonFinite: behaviour['num.nonfinite'],
    json: behaviour['json.encoding'],
  }
}

/** What the engine reads of a behaviour. Found once for each behaviour: most requests share one. */
export function engineOptions(behaviour: Behaviour): Omit<ExecuteOptions, 'signal'> {
  const known = options.get(behaviour)
  if (known) return known
  const data = dataVariants(behaviour)
  const rules = sqlRules(behaviour)
  const format = rowFormat(behaviour)
  const found = {
    ...(!isUsual(format, defaultRowFormat) && { format }),
    ...(rules && { rules }),
    ...(data && { data }),
  }
  options.set(behaviour, found)
  return found
}

const options = new WeakMap<Behaviour, Omit<ExecuteOptions, 'signal'>>()

/** The variants that are in the data; undefined where the data are as they are. */
function dataVariants(behaviour: Behaviour): DataVariants | undefined {
  const set = Object.entries(behaviour).filter(([knob, slug]) => isInData(knob, slug))
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

const isInData = (knob: string, slug: string): boolean => changes[knob]?.[slug] !== undefined

/** How statements are taken; undefined where they are taken as they always are. */
export function sqlRules(behaviour: Behaviour): SqlRules | undefined {
  const rules: SqlRules = {
    accept: behaviour['sql.accept'],
    several: behaviour['sql.multi'],
    empty: behaviour['sql.empty'] === 'success' ? 'success' : 'refused',
    semicolon: behaviour['sql.semicolon'],
    filters: behaviour['sql.filters'],
    dates: behaviour['delta.literal'],
    zone: behaviour['delta.zone'] === 'session-zone' ? 'session-zone' : 'utc',
    withheld: withheldBy(behaviour),
  }
  return isUsual(rules, defaultSqlRules) ? undefined : rules
}

const isUsual = <T extends object>(part: T, usual: T): boolean =>
  Object.keys(usual).every((name) => part[name as keyof T] === usual[name as keyof T])

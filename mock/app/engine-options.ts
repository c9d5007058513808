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
import type { Settings } from './settings.ts'

/** The part of a settings that the engine reads when it writes rows. */
export function rowFormat(settings: Settings): RowFormat {
  return {
    shape: settings['rows.shape'],
    duplicates: settings['rows.duplicates'],
    order: settings['rows.order'],
    nulls: settings['rows.nulls'],
    timestamps: settings['timestamps.format'],
    precision: settings['delta.precision'],
    case: settings['rows.case'],
    numbers: settings['numbers.encoding'],
    nonFinite: settings['numbers.non-finite'],
    json: settings['json.encoding'],
  }
}

/** What the engine reads of a settings. Found once for each settings: most requests share one. */
export function engineOptions(settings: Settings): Omit<ExecuteOptions, 'signal'> {
  const known = options.get(settings)
  if (known) return known
  const data = dataVariants(settings)
  const rules = sqlRules(settings)
  const format = rowFormat(settings)
  const found = {
    ...(!isUsual(format, defaultRowFormat) && { format }),
    ...(rules && { rules }),
    ...(data && { data }),
  }
  options.set(settings, found)
  return found
}

const options = new WeakMap<Settings, Omit<ExecuteOptions, 'signal'>>()

/** The variants that are in the data; undefined where the data are as they are. */
function dataVariants(settings: Settings): DataVariants | undefined {
  const set = Object.entries(settings).filter(([knob, slug]) => isInData(knob, slug))
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

const isInData = (knob: string, slug: string): boolean => changes[knob]?.[slug] !== undefined

/** How statements are taken; undefined where they are taken as they always are. */
export function sqlRules(settings: Settings): SqlRules | undefined {
  const rules: SqlRules = {
    accept: settings['sql.accept'],
    several: settings['sql.multi'],
    empty: settings['sql.empty'] === 'success' ? 'success' : 'refused',
    semicolon: settings['sql.semicolon'],
    filters: settings['sql.filters'],
    dates: settings['delta.literal'],
    zone: settings['delta.zone'] === 'session-zone' ? 'session-zone' : 'utc',
    withheld: withheldBy(settings),
  }
  return isUsual(rules, defaultSqlRules) ? undefined : rules
}

const isUsual = <T extends object>(part: T, usual: T): boolean =>
  Object.keys(usual).every((name) => part[name as keyof T] === usual[name as keyof T])

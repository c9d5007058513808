import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DateLiteral } from '../literals.ts'
import { replaceFile } from '../../base/files/replace-file.ts'
import { parseJson } from '../../base/text/explain-json.ts'
import { profileFile, recordingFile, type Recording } from '../../fixtures/import/recording.ts'
import { contract, type Profile, type ViewName } from '../../schemas/index.ts'
import { isDateNotation } from '../../schemas/reading/date-literals.ts'
import { prepareFolder } from './folder/prepare.ts'
import type { Replace } from './folder/row-store.ts'
import { removeState, writeState, type State } from './folder/state.ts'
import { nameDoubts } from './name-doubts.ts'
import { createPseudonyms } from './pseudonyms/pseudonyms.ts'
import { replaceRow } from './pseudonyms/replace-row.ts'
import { AnswerSizes } from './read/answer-sizes.ts'
import { createAsk, type AskerOptions } from './read/asker.ts'
import { Budget, type BudgetOptions } from './read/budget.ts'
import type { Session } from './read/reader.ts'
import { storeView } from './store-view.ts'

export interface RecordOptions extends AskerOptions, BudgetOptions {
  /** A new or empty folder, or that of an interrupted recording. */
  readonly out: string
  /** Keeps ids, names and notes. Default: pseudonyms. */
  readonly keepTexts?: boolean
  /** A secret from which pseudonyms are derived, so that several recordings agree. Default: random. */
  readonly pseudonymKey?: string | undefined
  /** Also sends ORDER BY and comparisons of ids where documented statements cannot read a view whole. */
  readonly undocumented?: boolean
  /**
   * Gets the profile of the service, for profile.json. Receives the requests that may be sent and the milliseconds that it may
   * take, and returns the requests sent. Default: none is written.
   */
  readonly observe?: (maxRequests: number, maxMs: number) => Promise<{ profile: Profile; requests: number }>
  /** The version of the package. */
  readonly version: string
}

/** The views in the order in which they are read: small ones first, so that a budget that ends early leaves the points incomplete. */
const order: Readonly<Record<ViewName, true>> = {
  v_quantities: true,
  v_formulas: true,
  v_experiments: true,
  v_bioprocesses: true,
  v_archived_records: true,
  v_bioprocess_quantity_data: true,
  v_timeseries: true,
  v_formula_results: true,
  v_timeseries_data: true,
}
const views = Object.keys(order) as ViewName[]

/**
 * Reads the nine views of a service into a folder that `serve --data` reads, one request at a time. The folder is usable
 * whenever the recording stops, and recording.json says what is in it. If it stopped early, the same call continues.
 *
 * @throws RecordingError if the folder cannot be used or the service accepts no statements; the reason of the signal
 */
export async function record(options: RecordOptions): Promise<Recording> {
  const { out, keepTexts = false, pseudonymKey, say = () => {} } = options
  const state = prepareFolder(
    out,
    { baseUrl: options.baseUrl, texts: keepTexts ? 'kept' : 'pseudonyms' },
    pseudonymKey,
    () => randomBytes(32).toString('hex'),
  )
  const budget = new Budget(options)
  const before = { requests: state.requests, rows: state.rowsReceived }
  const save = (finished = false): Recording => {
    state.requests = before.requests + budget.requests
    state.rowsReceived = before.rows + budget.rows
    const recording = recordingOf(state, options.version, finished)
    writeState(out, state)
    replaceFile(join(out, recordingFile), `${JSON.stringify(recording, null, 2)}\n`)
    return recording
  }
  save()
  try {
    const profile = await profileOf(options, state, budget)
    save()
    const session: Session = {
      ask: createAsk(options, budget),
      budget,
      sizes: new AnswerSizes(),
      dateLiteral: dateLiteralOf(profile),
      undocumented: options.undocumented ?? false,
    }
    const replace = replacementOf(options, state)
    for (const view of views) {
      if (state.views[view]?.ended) continue
      await storeView({ session, out, view, state, replace, say, save: () => void save() })
    }
    nameDoubts(out, state, session.sizes)
  } finally {
    save()
  }
  const finished = views.every((view) => state.views[view]?.ended)
  const recording = save(finished)
  if (finished) removeState(out)
  return recording
}

function recordingOf(state: State, version: string, finished: boolean): Recording {
  const views = Object.entries(state.views).map(([view, { rows, complete, missing, leftOut }]) => [
    view,
    { rows, complete, missing, leftOut },
  ])
  return {
    version,
    contract: contract.version,
    finished,
    texts: state.settings.texts,
    requests: state.requests,
    rowsReceived: state.rowsReceived,
    views: Object.fromEntries(views) as Recording['views'],
  }
}

/** The profile of the service: observed now, or by the part of the recording that was interrupted. */
async function profileOf(
  { observe, out }: RecordOptions,
  state: State,
  budget: Budget,
): Promise<Profile | undefined> {
  const file = join(out, profileFile)
  if (state.observed) return parseJson(readFileSync(file, 'utf8')) as Profile
  if (!observe) return undefined
  const { profile, requests } = await observe(budget.requestsLeft, budget.msLeft)
  budget.requests += requests
  replaceFile(file, `${JSON.stringify(profile, null, 2)}\n`)
  state.observed = true
  return profile
}

/** The spelling of dates that the service accepts (delta.literal). */
function dateLiteralOf(profile: Profile | undefined): DateLiteral {
  const variant = profile?.variants['delta.literal'] ?? ''
  return isDateNotation(variant) ? variant : 'as-given'
}

function replacementOf({ pseudonymKey }: RecordOptions, { settings, ownKey }: State): Replace {
  if (settings.texts === 'kept') return (_, row) => row
  const pseudonyms = createPseudonyms(Buffer.from(pseudonymKey ?? ownKey!))
  return (view, row) => replaceRow(view, row, pseudonyms)
}

import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RecordedView } from '../../../fixtures/import/recording.ts'
import { replaceFile } from '../../../base/files/replace-file.ts'
import type { ViewName } from '../../../schemas/index.ts'
import type { Position } from '../read/reader.ts'

/**
 * What an interrupted recording needs to continue. It holds the key of the pseudonyms and ids of the service, so it is a file
 * beside the folder, not in it, that only its owner may read, and the end of the recording removes it.
 */
export interface State {
  /** What the recording was started with; another one cannot continue it. */
  readonly settings: { readonly baseUrl: string; readonly texts: 'pseudonyms' | 'kept'; readonly key: string }
  /** The key of the pseudonyms in hexadecimal; absent if it comes from a file of the user. */
  readonly ownKey?: string
  requests: number
  rowsReceived: number
  /** Absent until the service was observed. */
  observed?: boolean
  readonly views: Partial<Record<ViewName, ViewState>>
}

export interface ViewState extends RecordedView {
  /** Bytes of the file that are valid. */
  readonly bytes: number
  /** Whether nothing more can be read. */
  readonly ended: boolean
  readonly position?: Position
}

/** The state file of an output folder. */
export const stateFileOf = (dir: string): string => `${resolve(dir)}.state.json`

/** The state of an interrupted recording; undefined if there is none. */
export function readState(dir: string): State | undefined {
  try {
    return JSON.parse(readFileSync(stateFileOf(dir), 'utf8')) as State
  } catch {
    return undefined
  }
}

export const writeState = (dir: string, state: State): void =>
  replaceFile(stateFileOf(dir), JSON.stringify(state), 0o600)

export const removeState = (dir: string): void => rmSync(stateFileOf(dir), { force: true })

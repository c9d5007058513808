import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { makeFolder } from '../../../base/files/make-folder.ts'
import { profileFile, recordingFile } from '../../../fixtures/import/recording.ts'
import { contract } from '../../../schemas/index.ts'
import { RecordingError } from '../recording-error.ts'
import { readState, stateFileOf, type State } from './state.ts'

const ownNames = new Set([recordingFile, profileFile, ...contract.views.map((view) => `${view}.ndjson`)])

/**
 * Creates the folder, or continues the recording in it.
 *
 * @param pseudonymKey of the user; undefined: a random one
 * @throws RecordingError if the folder holds anything else, or a recording of another service or with another key
 */
export function prepareFolder(
  dir: string,
  settings: Pick<State['settings'], 'baseUrl' | 'texts'>,
  pseudonymKey: string | undefined,
  randomKey: () => string,
): State {
  const names = namesIn(dir)
  const foreign = names.find((name) => !ownNames.has(name) && !name.endsWith('.part'))
  const state = readState(dir)
  if (foreign !== undefined)
    throw new RecordingError(`${dir} holds ${foreign}, which is not of a recording. Name a new folder.`)
  if (names.length === 0) return newState(settings, pseudonymKey, randomKey)
  if (state === undefined)
    throw new RecordingError(
      `${dir} is not empty, and there is no ${stateFileOf(dir)} to continue from: the recording in it is complete. Name a new folder.`,
    )
  const key = pseudonymKey === undefined ? state.settings.key : fingerprint(pseudonymKey)
  const differing = Object.entries({ ...settings, key }).find(
    ([name, value]) => state.settings[name as keyof State['settings']] !== value,
  )
  if (differing) throw new RecordingError(`${dir} holds a recording with another ${remedies[differing[0]]}`)
  if (state.ownKey === undefined && pseudonymKey === undefined && settings.texts === 'pseudonyms')
    throw new RecordingError(`${dir} holds a recording with another ${remedies['key']}`)
  return state
}

const remedies: Readonly<Record<string, string>> = {
  baseUrl: 'base URL. Name the same, or a new folder.',
  texts: 'treatment of texts. Give or leave out --keep-texts as before, or name a new folder.',
  key: 'pseudonym key. Give the same --pseudonym-key, or name a new folder.',
}

function newState(
  settings: Pick<State['settings'], 'baseUrl' | 'texts'>,
  pseudonymKey: string | undefined,
  randomKey: () => string,
): State {
  const ownKey = pseudonymKey === undefined ? randomKey() : undefined
  const key = fingerprint(pseudonymKey ?? ownKey!)
  return {
    settings: { ...settings, key },
    ...(ownKey && { ownKey }),
    requests: 0,
    rowsReceived: 0,
    views: {},
  }
}

/** Tells keys apart without showing them. */
const fingerprint = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

function namesIn(dir: string): string[] {
  try {
    makeFolder(dir)
    return readdirSync(dir)
  } catch (error) {
    throw new RecordingError(
      `Cannot write to the folder ${dir} (${(error as NodeJS.ErrnoException).code}). Name a writable folder.`,
    )
  }
}

export { record, type RecordOptions } from './record.ts'
export { RecordingError } from './recording-error.ts'
export type { Recording, RecordedView } from '../../fixtures/import/recording.ts'

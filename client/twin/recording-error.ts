/** A recording cannot start or continue; the message names the remedy. */
export class RecordingError extends Error {
  override name = 'RecordingError'
}

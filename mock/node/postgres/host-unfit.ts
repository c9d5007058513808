/** A host answers, but must not serve. The message names the remedy. */
export class HostUnfit extends Error {
  override readonly name = 'HostUnfit'
}

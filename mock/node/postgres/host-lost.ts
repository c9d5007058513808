/** A host cannot answer: another one may. */
export class HostLost extends Error {
  override readonly name = 'HostLost'
}

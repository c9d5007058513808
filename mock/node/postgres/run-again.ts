/** A statement that has given no row may run again in a moment. The message is a sentence that says why. */
export class RunAgain extends Error {
  override readonly name: string = 'RunAgain'
}

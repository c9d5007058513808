/**
 * Prints sentences about stubs, each once: those of a `beforeEach` are there again in each test.
 *
 * @param print takes a line
 */
export function nameOnce(print: (line: string) => void): (sentences: readonly string[]) => void {
  const named = new Set<string>()
  return (sentences) => {
    for (const one of sentences) {
      if (!named.has(one)) print(`[bioprocess-sql-contract] ${one}`)
      named.add(one)
    }
  }
}

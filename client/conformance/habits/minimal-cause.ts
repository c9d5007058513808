/**
 * A smallest part of `items` that still fails: without any one of them, it passes (QuickXplain, Junker 2004). Takes about
 * twice the logarithm of the number of items for each item of the cause.
 *
 * @param items which fail together
 * @param fails whether some of them fail; an empty list never does
 */
export async function minimalCause<T>(
  items: readonly T[],
  fails: (some: readonly T[]) => Promise<boolean>,
): Promise<T[]> {
  const search = async (kept: readonly T[], isNew: boolean, candidates: readonly T[]): Promise<T[]> => {
    if (isNew && kept.length > 0 && (await fails(kept))) return []
    if (candidates.length === 1) return [...candidates]
    const half = Math.ceil(candidates.length / 2)
    const [first, second] = [candidates.slice(0, half), candidates.slice(half)]
    const ofSecond = await search([...kept, ...first], true, second)
    const ofFirst = await search([...kept, ...ofSecond], ofSecond.length > 0, first)
    return [...ofFirst, ...ofSecond]
  }
  return search([], false, items)
}

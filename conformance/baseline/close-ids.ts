/** The known ids closest to a misspelt one, closest first; at most three. */
export function closeIds(text: string, known: readonly string[]): string[] {
  const farthest = Math.max(3, Math.floor(text.length / 3))
  return known
    .map((id) => ({ id, distance: distance(text.toLowerCase(), id.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ id }) => id)
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

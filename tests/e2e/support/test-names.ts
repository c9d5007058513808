/** A placeholder in a title that vitest did not expand: `%s`, `%.60s`. */
const placeholder = /%[.\d]*[sdifjoO#$](?!\w)/

/**
 * A message for each full name (describe > title) that several tests share or that has a placeholder. Names are unique in
 * the repository, so that the name of a failed test leads to it.
 */
export function nameViolations(fullNames: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of fullNames) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].flatMap(([name, count]) => [
    ...(count > 1 ? [`${count} tests are named "${name}". Give each its own title.`] : []),
    ...(placeholder.test(name)
      ? [`"${name}" has an unexpanded placeholder. Write %s, or %% for a sign.`]
      : []),
  ])
}

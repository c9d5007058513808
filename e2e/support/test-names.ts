/** A placeholder of a title that vitest left as it was: `%s`, `%.60s`. */
const placeholder = /%[.\d]*[sdifjoO#$](?!\w)/

/**
 * One sentence for each full name (describe > title) that two tests share or that shows a placeholder. A name is what
 * a failure is searched by, so it has to be unique in the repository.
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

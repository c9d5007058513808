import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * A built module, or its declarations, and all files that it imports.
 *
 * @param onPackage receives each import of a package
 */
export function withImports(
  entry: string,
  onPackage: (entry: string, specifier: string) => void = () => {},
  found = new Set<string>(),
): Set<string> {
  if (found.has(entry)) return found
  found.add(entry)
  for (const [, specifier] of readFileSync(entry, 'utf8').matchAll(
    // the key "from" of data is no import
    /(?<!["'])\b(?:from|import)\s*\(?\s*['"]([^'"\s]+)['"]/g,
  )) {
    if (!specifier!.startsWith('.')) onPackage(entry, specifier!)
    else {
      const file = resolve(dirname(entry), specifier!)
      withImports(entry.endsWith('.d.ts') ? file.replace(/\.[jt]s$/, '.d.ts') : file, onPackage, found)
    }
  }
  return found
}

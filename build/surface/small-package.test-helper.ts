import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Compiler, withCompiler } from './compiler.ts'

/** What `use` makes of a package of these files, as lines. */
export async function linesOf(
  files: Readonly<Record<string, string>>,
  use: (compiler: Compiler) => string[],
): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'surface-'))
  const config = {
    compilerOptions: {
      strict: true,
      module: 'NodeNext',
      target: 'ES2023',
      lib: ['ES2023'],
      types: [],
      noEmit: true,
    },
  }
  try {
    for (const [path, text] of Object.entries({ 'tsconfig.build.json': JSON.stringify(config), ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return (await withCompiler(root, async (compiler) => use(compiler))).toSorted()
  } finally {
    rmSync(root, { recursive: true })
  }
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>
}

/** A namespace of each module behind `exports` of package.json: that of `./msw/global-setup` is `entry_msw_global_setup`. */
function entries(root: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const lines = Object.entries(exports).flatMap(([entry, target]) =>
    // the module for browsers has no declarations of its own in the package: its exports must be those of the entry
    ['types', 'browser'].flatMap((condition) => {
      const file = typeof target === 'object' && target[condition]
      if (typeof file !== 'string') return []
      const words = [entry.slice(2) || 'root', ...(condition === 'types' ? [] : [condition])]
      const module = file.replace('/dist', '').replace(/(\.d)?\.[jt]s$/, '.js')
      return [`export * as entry_${words.join('_').replaceAll(/\W/g, '_')} from ${JSON.stringify(module)}\n`]
    }),
  )
  return lines.join('')
}

/**
 * What the entries of the package export, and the types that this needs, as a report of API Extractor without the comments.
 *
 * @throws Error if the sources cannot be read as TypeScript
 */
export function declarations(root: string): string {
  // below the root, where imports find the packages
  const folder = join(root, '.cache/declarations')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const mainEntryPointFilePath = join(folder, 'entries.d.ts')
  writeFileSync(mainEntryPointFilePath, entries(root))
  const [tsc, project] = ['node_modules/typescript/bin/tsc', 'tsconfig.build.json'].map((path) =>
    join(root, path),
  )
  const options = ['--emitDeclarationOnly', '--noCheck', '--outDir', folder]
  execFileSync(process.execPath, [tsc!, '-p', project!, ...options])
  const compilerOptions = { module: 'NodeNext', lib: ['ES2023'], types: ['node'], skipLibCheck: true }
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: 'declarations',
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  })
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    // what it says about comments and tags concerns documents that it does not make here
    messageCallback: (message) => void (message.handled = message.category !== 'Compiler'),
  })
  if (!succeeded) throw new Error('API Extractor cannot read the declarations: see above.')
  const report = readFileSync(join(folder, 'declarations.api.md'), 'utf8')
  return report.replaceAll(/^ *\/\/ (?!.*@deprecated).*\n/gm, '')
}

import { Command, Option } from 'commander'
import { outputFile } from '../options/parse.ts'

const EXAMPLES = `
Examples:
  $ bioprocess-sql conformance --base-url ... --claim claims/acme.json \\
      --target-name "Acme historian"
      writes the claim of a service
  $ bioprocess-sql matrix claims --out CLAIMS.md --badges badges
      writes a table of all claims, and for each a badge as JSON for the endpoint
      of shields.io`

export const matrixCommand = () =>
  new Command('matrix')
    .description('Make a public table and badges from a folder of claims.')
    .argument('<folder>', 'folder of files that conformance --claim wrote')
    .addOption(
      new Option('--format <format>', 'output format').choices(['markdown', 'html']).default('markdown'),
    )
    .option('--out <file>', 'output file; - is stdout', outputFile, '-')
    .option('--badges <folder>', 'write a badge for each service to this folder', outputFile)
    .addHelpText('after', EXAMPLES)
    .action(async (folder, options) => {
      const { writeMatrix } = await import('../suite/claims.ts')
      writeMatrix(folder, options)
    })

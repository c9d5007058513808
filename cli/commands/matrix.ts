import { Command, Option } from 'commander'
import { outputFile } from '../options/parse.ts'

const EXAMPLES = `
Examples:
  $ bioprocess-sql conformance --base-url ... --claim claims/acme.json \\
      --target-name "Acme historian"
      writes the claim of a service
  $ bioprocess-sql matrix claims --out CLAIMS.md --badges badges
      writes a table of all claims, and for each a badge as JSON for the endpoint
      of shields.io
  $ bioprocess-sql matrix claims --verify reports
      exits with 1 if a claim is not the summary of a report in the folder`

export const matrixCommand = () =>
  new Command('matrix')
    .description('Make a public table and badges from a folder of claims.')
    .argument('<folder>', 'folder of files that conformance --claim wrote')
    .addOption(
      new Option('--format <format>', 'output format').choices(['markdown', 'html']).default('markdown'),
    )
    .option('--out <file>', 'output file; - is stdout', outputFile, '-')
    .option('--badges <folder>', 'write a badge for each service to this folder', outputFile)
    .option('--verify <folder>', 'compare each claim with its report in this folder')
    .addHelpText('after', EXAMPLES)
    .action(async (folder, options) => {
      const { writeMatrix } = await import('../suite/claims.ts')
      writeMatrix(folder, options)
    })

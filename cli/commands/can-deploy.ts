import { Command } from 'commander'
import { inputFiles, names } from '../options/parse.ts'

const EXAMPLES = `
Exit code 0 means yes, 1 no, with the reasons. A service that is not conformant, a
habit of the service that stops the client, and one that was not tested mean no.
An open point that the report of the service does not show counts with each of
its variants. Reports are not signed: take them from where they were written.

Example:
  $ bioprocess-sql exec --habits --report json=client-2.1.json -- npm test
  $ bioprocess-sql conformance --base-url ... --report json=production.json
  $ bioprocess-sql can-deploy production.json --client client-2.1.json`

export const canDeployCommand = () =>
  new Command('can-deploy')
    .description('Tell from stored reports whether a version of a client works with a version of a service.')
    .argument(
      '<service...>',
      'reports of services, which conformance --report json=FILE or ndjson=FILE wrote',
    )
    .requiredOption(
      '--client <file>',
      'file that exec --habits --report json=FILE wrote; repeatable',
      inputFiles,
    )
    .option('--accept <open-point>', 'leave out this open point; repeatable, or a,b', names)
    .addHelpText('after', EXAMPLES)
    .action(async (services, { client, accept }) => {
      const { canDeploy } = await import('../suite/can-deploy.ts')
      canDeploy(client, services, accept)
    })

import { Command } from 'commander'
import { secret } from '../../options/parse.ts'

const NOTES = `
The file is HAR 1.2, which browsers, Playwright and mitmproxy write. The number of
an exchange is the index of its entry. Clients are told apart by their tokens, or
without one by their connections. No token is printed.

The exit code is 1 if the service or a client breaks a must. It is 3 if no answer
was judged, or an exchange in part or not at all; the report counts them.

Example:
  $ bioprocess-sql traffic seen.har --base-url https://data.example.org`

export const trafficCommand = () =>
  new Command('traffic')
    .description('Judge a service and its clients by traffic that a browser or a proxy recorded.')
    .argument('<file>', 'HAR file')
    .option('--base-url <url>', 'the service (default: the one whose endpoint the file has)', secret)
    .addHelpText('after', NOTES)
    .action(async (file, { baseUrl }) => {
      const { judgeFile } = await import('./run.ts')
      const { report, exitCode } = await judgeFile(file, baseUrl)
      process.stdout.write(report)
      process.exitCode = exitCode
    })

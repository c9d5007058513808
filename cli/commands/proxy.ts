import { Command } from 'commander'
import { EXIT, CommandError } from '../exit.ts'
import { onInterruption } from '../interruption.ts'
import type { OptionsOf } from '../options/command-options.ts'
import { count, inputFile } from '../options/parse.ts'
import { say } from '../output/log.ts'

const NOTES = `
Statuses, headers and bodies pass as they are, and an answer that ends early ends
early for the client. Host, the Content-Length of a request and the headers of a
connection, such as Transfer-Encoding, are the proxy's own. It refuses requests above 16 MiB (413).

Ctrl-C ends it and prints the report; kill -USR2, which Windows lacks, prints the
report so far. With --judge, the exit code is 1 if the service or the client breaks
a must. It is 3 if there was no exchange, or one could not be judged or stored: a body is too large (--kept-bytes) or has
an unknown Content-Encoding, or the service cut its answer. The report counts each.

Example:
  $ bioprocess-sql proxy --target https://data.example.org --judge --store seen
      prints an address; give it to the client as its base URL`

const proxyOptions = () =>
  new Command('proxy')
    .description('Stand between a client and a service, change nothing, and judge both.')
    .requiredOption('--target <url>', 'URL of the service, without /external/v1/statements/')
    .option('--listen <host:port>', 'address; port 0 picks a free port', '127.0.0.1:0')
    .option('--any-interface', 'allow --listen on an address that other machines reach')
    .option('--judge', 'judge the answers of the service and the requests of the client')
    .option(
      '--store <dir>',
      'append every exchange to exchanges.ndjson in this folder, without tokens and row values',
    )
    .option('--store-bodies', 'with --store: also store bodies, with row values')
    .option('--kept-bytes <n>', 'judge and store bodies up to this many bytes', count, 1024 * 1024)
    .option('--ca <file>', 'also trust the certificate authorities in this PEM file', inputFile)
    .addHelpText('after', NOTES)

export const proxyCommand = () => proxyOptions().action(runProxy)

async function runProxy(options: OptionsOf<typeof proxyOptions>): Promise<void> {
  const { parseBaseUrl } = await import('../../conformance/connection/base-url.ts')
  const { isLoopback, parseAddress } = await import('../../mock/node/http/listen.ts')
  const { authorities } = await import('../service/transport.ts')
  const { startProxy } = await import('../../proxy/index.ts')
  const { proxyReport } = await import('../output/proxy-report.ts')
  const { judge = false, store, storeBodies = false } = options
  const address = parseAddress(options.listen)
  if (!isLoopback(address.host) && !options.anyInterface)
    throw new CommandError(
      `Other machines can reach ${options.listen}, and the proxy asks nobody for a password. Listen on 127.0.0.1, or add --any-interface.`,
      EXIT.usage,
    )
  if (storeBodies && store === undefined)
    throw new CommandError('--store-bodies needs --store. Name a folder, or leave it out.', EXIT.usage)
  const proxy = await startProxy({
    ...address,
    target: parseBaseUrl(options.target),
    judge,
    store,
    storeBodies,
    keptBytes: options.keptBytes,
    ca: options.ca === undefined ? undefined : await authorities(options.ca),
    say,
  })
  // a client may send a signal as soon as it reads the address
  const interrupted = new Promise<void>((resolve) => onInterruption(() => resolve()))
  process.on('SIGUSR2', () => void process.stdout.write(proxyReport(proxy.report())))
  process.stdout.write(`listening  ${proxy.origin}\n`)
  await interrupted
  const judgement = await proxy.close()
  process.stdout.write(proxyReport(judgement))
  const broken = [...judgement.service, ...judgement.client].some(({ outcome }) => outcome === 'fail')
  const lacks =
    (judge && judgement.exchanges === 0) ||
    [...Object.values(judgement.notJudged), judgement.notStored].some((count) => count > 0)
  process.exitCode = broken ? EXIT.failed : lacks ? EXIT.incomplete : EXIT.done
}

import { Command } from 'commander'
import { CommandError, EXIT } from '../../exit.ts'
import { onInterruption } from '../../interruption.ts'
import { type OptionsOf, withOptions } from '../../options/command-options.ts'
import { secret, secretOrFile } from '../../options/parse.ts'
import { say } from '../../output/log.ts'
import { commit, packageFile, version } from '../../package.ts'
import { serverOptions } from '../../server/server-options.ts'
import { start } from '../../server/start-server.ts'
import { readToken } from '../../service/token.ts'

/** Most bytes of a message. The transport copies what it has with each further packet. */
const MOST_BYTES = 2 ** 24

const NOTES = `
Tools: ask, explain, list_requests, judge, exchanges, compare; with --allow-write also
arm, put_rows, reset. Resources: overview, contract, views, checks, open-points,
scenarios. docs/agents.md shows the
configuration of a client.

Examples:
  $ bioprocess-sql mcp --port 4010 --token development --allow-write
      an application uses the mock at http://127.0.0.1:4010 meanwhile
  $ bioprocess-sql mcp --service-url https://data.example.org \\
      --service-token "@token.txt"
      an agent may also judge this service`

const mcpOptions = () =>
  withOptions(
    new Command('mcp').description(
      'Serve the mock and the suite to agents: Model Context Protocol over stdio.',
    ),
    serverOptions('127.0.0.1:0'),
  )
    .option('--allow-write', 'also offer tools that change what the mock answers')
    .option('--service-url <url>', 'a service that may be judged, without /external/v1/statements/', secret)
    .option('--service-token <token>', 'its bearer token, or @FILE to read it from a file', secretOrFile)

export const mcpCommand = () => mcpOptions().addHelpText('after', NOTES).action(serveAgents)

async function serveAgents(options: OptionsOf<typeof mcpOptions>): Promise<void> {
  const { serviceUrl, serviceToken, allowWrite = false } = options
  if (serviceToken !== undefined && serviceUrl === undefined)
    throw new CommandError('--service-token needs --service-url. Add it, or leave the token out.', EXIT.usage)
  // imported here so that other commands start without it
  const [{ serveStdio, StdioServerTransport }, { createMcpServer }, { explain }, { parseBaseUrl }] =
    await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./server.ts'),
      import('../../suite/explain.ts'),
      import('../../../conformance/index.ts'),
    ])
  const service =
    serviceUrl === undefined
      ? undefined
      : {
          baseUrl: parseBaseUrl(serviceUrl),
          token: serviceToken === undefined ? null : readToken(serviceToken, 'The token of the service'),
        }
  const mock = await start(options)
  say(
    `The mock serves ${mock.baseUrl}.${options.token === undefined ? ' Its token is in no answer: choose one with --token for an application.' : ''}`,
  )
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_BYTES })
  const connection = serveStdio(
    () => createMcpServer({ version, commit, mock, service, allowWrite, explain, file: packageFile }),
    { transport, onerror: ({ message }) => say(`The connection to the client: ${message}`) },
  )
  await new Promise<void>((resolve) => {
    onInterruption(() => resolve())
    // also after a message that is too large: the rest of it would be taken for others
    const { onclose } = transport
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  await connection.close()
  await mock.close()
  // a client that still writes would keep the process alive
  process.stdin.destroy()
}

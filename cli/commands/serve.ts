import type { Command } from 'commander'
import { contract } from '../../schemas/contract.ts'
import type { Server } from '../../mock/index.ts'
import { isLoopback, parseAddress } from '../../mock/node/http/listen.ts'
import { EXIT } from '../exit.ts'
import { onInterruption } from '../interruption.ts'
import { describeProvider } from '../server/auth-options.ts'
import { type ServeFlags, serveOptions } from '../server/serve-options.ts'
import { logLine, logsJson, useLogFormat, writeLog, say } from '../output/log.ts'
import { logLines } from '../output/log-lines.ts'
import { replaceOutput } from '../files/output-file.ts'
import { serverLine } from '../server/server-line.ts'
import { readAgainOnChange } from '../server/read-again.ts'
import { addressOf, start, type Started } from '../server/start-server.ts'

const EXAMPLES = `
Examples:
  $ bioprocess-sql serve
  $ bioprocess-sql serve --listen 127.0.0.1:0 --token secret --ready-file r.json
  $ bioprocess-sql serve --live 600
      ten simulated minutes pass each second: points arrive, runs start and end
  $ bioprocess-sql serve --variant rows.shape=array --variant rows.case=upper
      uses other variants where the contract leaves points open
  $ bioprocess-sql serve --variant auth.mode=client-credentials --client app:key
      issues tokens at /_mock/token
  $ bioprocess-sql serve --profile vendor.json
      uses the settings that \`conformance --profile-out\` recorded from a service
  $ bioprocess-sql serve --fault latency:50ms-400ms --fault "status:503,rate=0.05"
      injects faults
  $ bioprocess-sql serve --database "postgres://reader@h1,h2/plant?sslmode=verify-full"
      runs statements on PostgreSQL, with the password in PGPASSWORD
  $ bioprocess-sql serve --data my-plant
      serves v_bioprocesses.csv, v_timeseries.ndjson.gz and other view files`

export const serveCommand = () =>
  serveOptions()
    .addHelpText('after', EXAMPLES)
    .action(async (options, command) => {
      useLogFormat(options.logFormat)
      // node would print its warnings as text
      process
        .removeAllListeners('warning')
        .on('warning', ({ name, message }) => say(`${name}: ${message}`, 'warn'))
      const log = logLines(writeLog)
      // before the start, because whoever learns of the server may end it at once
      const stopping = stopSignal().then((signal) => log(serverLine(`Stopping after ${signal}.`)))
      const server = await Promise.race([start(options, (...line) => log(serverLine(...line))), stopping])
      if (!server) {
        log(serverLine('Stopped.'))
        process.exit(EXIT.done)
      }
      const unwatch = readAgainOnChange(server, command)
      try {
        if (options.readyFile) writeReadyFile(options.readyFile, server)
        announce(server, options, command)
        await stopping
      } finally {
        unwatch()
        await server.close()
      }
      log(serverLine('Stopped.'))
    })

function announce(server: Started, options: ServeFlags, command: Command): void {
  const { baseUrl, variants } = server
  // a token that was chosen is known, and has no place in a log
  const made = options.token ? undefined : server.token
  const page = hasPage(options) ? `${new URL(baseUrl).origin}/` : undefined
  if (logsJson()) {
    const told = { baseUrl, ...(page && { page }), ...(made && { token: made }) }
    process.stdout.write(`${logLine('', 'info', { message: 'Serving.', ...told })}\n`)
    return
  }
  const [given = ''] = options.token ?? []
  const file = given.startsWith('@') && given.slice(1)
  // but a terminal shows again what was typed on it
  const typed = process.stdout.isTTY && command.getOptionValueSource('token') === 'cli' && !file
  const token = made ?? (typed ? given : '$TOKEN')
  const body = JSON.stringify({ statement: 'SELECT * FROM v_bioprocesses LIMIT 1' })
  const commands = [
    ...describeProvider(baseUrl, token, options, variants['auth.mode']),
    `try       curl -sS ${baseUrl}${contract.endpoint.path} -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '${body}'`,
  ]
  const variables = { TOKEN: file ? `$(cat '${file}')` : '<your token>', CLIENT_SECRET: '<your secret>' }
  process.stdout.write(
    [
      `serving   ${baseUrl}`,
      ...(page ? [`page      ${page}`] : []),
      ...(made ? [`token     ${made}`] : []),
      ...Object.entries(variables)
        .filter(([name]) => commands.join().includes(`$${name}`))
        .map(([name, value]) => `first     ${name}=${value}`),
      ...commands,
      '',
    ].join('\n'),
  )
}

/** The page is where `/_mock/*` is. */
const hasPage = (options: ServeFlags): boolean =>
  options.adminToken !== undefined || isLoopback(parseAddress(addressOf(options)).host)

/** The file contains the token: only its owner may read it. */
const writeReadyFile = (file: string, { baseUrl, token }: Server): void =>
  replaceOutput('ready file', file, JSON.stringify({ baseUrl, token, pid: process.pid }), 0o600)

/** Resolves with the first signal that ends the server. The second one ends the process at once. */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let signals = 0
    // the first process of a container ignores a signal without a listener
    onInterruption((signal) => (++signals === 1 ? resolve(signal) : process.exit(EXIT.interrupted)), 'on')
  })

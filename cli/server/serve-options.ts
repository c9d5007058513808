import { Command, Option } from 'commander'
import { faultHelp } from './fault-help.ts'
import { useLogFormat } from '../output/log.ts'
import { withConfig } from '../options/config.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import { durationOrZero, inputFile, names, outputFile, secretOrFile, speed } from '../options/parse.ts'
import { serverOptions } from './server-options.ts'

/** `serve` with its options. */
export const serveOptions = () =>
  withConfig(
    withOptions(
      new Command('serve').description('Serve the contract with simulated data or your own.'),
      serverOptions('127.0.0.1:4010'),
    )
      .option(
        '--admin-token <token>',
        'token of /_mock/*, or @FILE; without it, /_mock/* exists only on loopback',
        secretOrFile,
      )
      .option(
        '--admin-host <name>',
        'host name, other than localhost, that /_mock/* accepts; repeatable, or a,b',
        names,
      )
      .addOption(
        new Option(
          '--live [speed]',
          'advance simulated time from --as-of; --live 600 runs 600 times faster than real time',
        )
          .argParser(speed)
          .preset('60'),
      )
      .option('--cert <file>', 'serve HTTPS with this certificate, as PEM; needs --key', inputFile)
      .option('--key <file>', 'key of --cert, as PEM', inputFile)
      .option('--allow-target', 'let the page at / judge other servers too')
      .option('--ready-file <file>', 'write {baseUrl, token, pid} when the server is ready', outputFile)
      .option(
        '--drain <duration>',
        'after SIGTERM, answer for this long while /_mock/ready says 503 (default: 0s)',
        durationOrZero,
      )
      .addOption(
        new Option('--log-format <format>', 'lines of the log as text or as JSON')
          .choices(['text', 'json'])
          .default('text'),
      )
      // what is wrong with the other options is told in this form too
      .on('option:log-format', useLogFormat)
      .addHelpText('after', faultHelp),
  )

export type ServeFlags = OptionsOf<typeof serveOptions>

import { Command, Option } from 'commander'
import type { OptionsOf } from '../options/command-options.ts'
import { inputFile, pairs, secret, secretOrFile } from '../options/parse.ts'

/** The options of every command that sends statements to a service. */
export const targetOptions = () =>
  new Command()
    .option('--base-url <url>', 'URL of the service, without /external/v1/statements/', secret)
    .addOption(
      new Option('--token <token>', 'bearer token, or @FILE to read it from a file')
        .argParser(secretOrFile)
        .env('BIOPROCESS_SQL_TOKEN'),
    )
    .option(
      '--token-command <command>',
      'shell command that prints a token; runs again when the service rejects the token',
      secret,
    )
    .option('--no-auth', 'send no token')
    .option(
      '--header <name:value>',
      'add a header to every request; repeatable',
      pairs(':', "'Name: value'", { isSecret: true }),
    )
    .option('--ca <file>', 'also trust the certificate authorities in this PEM file', inputFile)
    .option('--proxy <url>', 'proxy (default: HTTPS_PROXY, HTTP_PROXY, NO_PROXY)', secret)

export type TargetOptions = OptionsOf<typeof targetOptions>

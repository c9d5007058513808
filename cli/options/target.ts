import { type Command, Option } from 'commander'
import { pairs } from './parse.ts'

/** Adds the options of every command that sends statements to a service. */
export const withTargetOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'URL of the service, without /external/v1/statements/')
    .addOption(
      new Option('--token <token>', 'bearer token, or @FILE to read it from a file').env(
        'BIOPROCESS_SQL_TOKEN',
      ),
    )
    .option(
      '--token-command <command>',
      'shell command that prints a token; runs again when the service rejects the token',
    )
    .option('--no-auth', 'send no token')
    .option('--header <name:value>', 'add a header to every request; repeatable', pairs(':', "'Name: value'"))
    .option('--ca <file>', 'also trust the certificate authorities in this PEM file')
    .option('--proxy <url>', 'proxy (default: HTTPS_PROXY, HTTP_PROXY, NO_PROXY)')

import { Command, Option } from 'commander'
import type { ConformanceFlags } from '../judge.ts'
import {
  count,
  duration,
  embeddedScale,
  integer,
  natural,
  pairs,
  repeatable,
  timeLimitOption,
} from '../parse.ts'
import { reportFlag } from '../report-flag.ts'

const EXAMPLES = `
Examples:
  $ bioprocess-sql conformance
      judges the reference server, to see what a report looks like
  $ bioprocess-sql conformance --base-url https://data.example.org --token @token.txt
      judges a service; takes a little more than the 30 s a statement may run
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --no-auth --only 'delta.*' --allow-incomplete
      only some checks, while working on them
  $ bioprocess-sql conformance --base-url https://data.example.org --write-baseline known.json
      writes what fails now as known departures; give each its reason, and its day with "expires"
  $ bioprocess-sql conformance --base-url https://data.example.org --baseline known.json
      known departures are waived; anything else that fails does, and so does an entry that is not needed any more
  $ bioprocess-sql conformance --base-url https://data.example.org --report json=report.json
      the report as one JSON document; json=- prints it. Other formats: html for people, junit for CI systems,
      markdown for a job summary, github for annotations, ndjson for a stream with a line for each check
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --token @token.txt --seeded --fuzz 2000
      a service that has loaded \`bioprocess-sql fixtures export\`, held against the reference row for row

A check that may fail sends only statements the contract documents. Nothing is written to the target
without --destructive-probes. Reports hold no token and, unless --evidence full, no row value: a value is shown
by its shape, "2026-01-31" as "0000-00-00". Statements stand as they were sent.`

export const conformanceCommand = (): Command =>
  new Command('conformance')
    .description(
      'Judge an endpoint clause by clause. Without --base-url: the reference server, on a free port.',
    )
    .option('--base-url <url>', 'where the service is, with its scheme and without /external/v1/statements/')
    .option('--token <token>', 'bearer token, or @FILE to read it from a file')
    .option(
      '--token-command <command>',
      'a shell command that prints the token; run again when the target refuses the one it printed before',
    )
    .option('--expired-token <token>', 'a token that has expired, or @FILE: it must not be let in')
    .option('--no-auth', 'the target asks for no token')
    .option(
      '--header <name:value>',
      'a further header of every request; repeatable',
      pairs(':', "'Name: value'"),
    )
    .option('--ca <file>', 'PEM file of a certificate authority that is trusted beside the usual ones')
    .option('--proxy <url>', 'sends requests through this proxy; default: HTTPS_PROXY, HTTP_PROXY, NO_PROXY')
    .option('--only <id>', 'only this check or requirement; a prefix ends in *; repeatable', repeatable)
    .option('--skip <id>', 'without this check or requirement; repeatable', repeatable)
    .option('--strict', 'warnings and notes fail')
    .option('--allow-incomplete', 'exit 0 when nothing failed but not everything could be checked')
    .addOption(
      timeLimitOption(
        "the target's execution limit; another than the contract's makes the verdict incomplete",
      ),
    )
    .option(
      '--slow-statement <sql>',
      'a statement that runs past the limit, for targets without a sleep function',
    )
    .option(
      '--allow-heavy',
      'without a sleep function, run past the limit by joins that take time and memory',
    )
    .option('--destructive-probes', 'try real writes: only against a test instance of your own')
    .option('--concurrency <n>', 'checks at once', count, 4)
    .option('--retries <n>', 'repetitions of a request that got no answer at all', natural, 1)
    .option(
      '--max-duration <duration>',
      'longest run; then the rest is not exercised (default: 30m)',
      duration,
    )
    .option('--max-statements <n>', 'the most requests; then the rest is not exercised', count)
    .option(
      '--max-rows <n>',
      'the most rows a LIMIT asks for; checks that take more are not exercised',
      count,
    )
    .option('--baseline <file>', 'known departures that are waived; one that is not needed any more fails')
    .option('--write-baseline <file>', 'writes what fails as a baseline; reasons it had are kept')
    .addOption(
      new Option('--evidence <kind>', 'hashed hides row values in the report, full adds the answers')
        .choices(['hashed', 'full'])
        .default('hashed'),
    )
    .option(
      '--report <format=file>',
      'write the report: json, ndjson, junit, markdown, github or html=FILE, - is stdout; repeatable',
      reportFlag,
    )
    .option(
      '--profile-out <file>',
      'write what the target does where the contract is silent, for serve --profile',
    )
    .option('--seeded', 'the target has loaded `fixtures export`: compare every answer with the reference')
    .option('--seed <n>', 'the seed of that export', integer, 1)
    .option('--scale <s>', 'the scale of that export', embeddedScale, 0.1)
    .option('--fuzz <n>', 'with --seeded: so many generated statements too, the same for a seed', natural, 0)
    .option('--list', 'list the checks and exit')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ConformanceFlags) => {
      // loaded only here: other commands start without the suite
      const { judge, listChecks } = await import('../judge.ts')
      if (flags.list) listChecks()
      else await judge(flags)
    })

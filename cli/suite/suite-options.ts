import { Command, Option } from 'commander'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { withConfig } from '../options/config.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import {
  count,
  duration,
  embeddedScale,
  inputFile,
  integer,
  names,
  natural,
  outputFile,
  pairs,
  rate,
  secretOrFile,
  timeLimitOption,
} from '../options/parse.ts'
import { reportOption } from '../options/report.ts'
import { targetOptions } from '../service/target-options.ts'

const CONFIG = `
Each option can also be set by an environment variable (BIOPROCESS_SQL_MAX_ROWS
for --max-rows) or by a JSON file that --config names ("maxRows"; "auth": false
for --no-auth), in which \${NAME} is the variable NAME. Precedence, highest
first: option, environment, file, default.`

/** `conformance` with its options. */
export const suiteOptions = () =>
  withConfig(
    withOptions(
      new Command('conformance').description(
        'Test a service against the contract. It needs an address, or --self.',
      ),
      targetOptions(),
    )
      .option('--self', 'without an address, test the reference server of this package')
      .option('--wait <duration>', 'wait at most this long until the target answers', duration)
      .option('--anonymous', "send neither the suite's User-Agent nor the id of the check")
      .option('--expired-token <token>', 'expired token (or @FILE) that the target must reject', secretOrFile)
      .option(
        '--only <id>',
        'run only this check or requirement; prefix* matches several; repeatable, or a,b',
        names,
      )
      .addOption(
        new Option(
          '--requirement-set <set>',
          'the frozen set that decides the verdict; next: all checks count',
        )
          .choices(['v2', 'next'])
          .default('v2'),
      )
      .option(
        '--skip <id>',
        'leave out this check or requirement; prefix* and a,b as above; repeatable',
        names,
      )
      .option('--strict', 'treat warnings and notes as failures')
      .option(
        '--allow-incomplete',
        'exit with 0 if something passed and nothing failed, but some checks could not run',
      )
      .addOption(
        timeLimitOption(
          "the target's time limit; a limit other than the contract's makes the verdict incomplete",
        ),
      )
      .option(
        '--slow-statement <sql>',
        'statement that exceeds the time limit, for a target without a sleep function',
      )
      .option(
        '--allow-heavy',
        'without a sleep function, exceed the limit with joins that use much CPU and memory',
      )
      .option('--destructive-probes', 'attempt real writes; use only with a disposable test instance')
      .option('--concurrency <n>', 'checks that run in parallel', count, 4)
      .option(
        '--rate <n/s>',
        'most requests per second, such as 4/s; without it, the suite slows down when the target limits them',
        rate,
      )
      .option('--retries <n>', 'retries of a request whose response was lost', natural, 1)
      .option(
        '--max-duration <duration>',
        'longest duration of the suite run; later checks are not exercised (default: 30m)',
        duration,
      )
      .option('--max-statements <n>', 'most requests to send; later checks are not exercised', count)
      .option('--max-rows <n>', 'largest LIMIT; checks that need more rows are not exercised', count)
      .option(
        '--accept-not-exercised <id=reason>',
        'accept that this check cannot run against the target; repeatable',
        pairs('=', '"time.limit=the target has no slow statement"'),
      )
      .option(
        '--baseline <file>',
        'accept the known failures in this file; fail for entries no longer needed',
        inputFile,
      )
      .option(
        '--write-baseline <file>',
        'write the failures to a baseline; keeps the reasons of an older one',
        outputFile,
      )
      .addOption(
        new Option('--evidence <kind>', 'hashed: no row values in reports; full: with the responses')
          .choices(['hashed', 'full'])
          .default('hashed'),
      )
      .option(
        '--report <format=file>',
        'write a report: json, ndjson, junit, markdown, github or html; the file - is stdout; repeatable',
        reportOption,
      )
      .option(
        '--claim <file>',
        'write a small public claim without rows and tokens, for `matrix`',
        outputFile,
      )
      .option('--target-name <name>', 'public name of the service in the claim (default: its host)')
      .option(
        '--profile-out <file>',
        'write the recorded settings of the target, for serve --profile',
        outputFile,
      )
      .option(
        '--seeded',
        'compare every response with the reference; the target has loaded `fixtures export`',
      )
      .option('--seed <n>', 'seed of that export', integer, 1)
      .option('--scale <s>', 'scale of that export', embeddedScale, defaultPlant.scale)
      .option(
        '--fuzz <n>',
        'also send N generated statements and shrink each difference; the same N statements for the same rows',
        natural,
        0,
      )
      .option('--list', 'list the checks and exit')
      .option('--explain <id>', 'explain a check, requirement, open point or invariant and exit'),
    CONFIG,
  )

export type SuiteFlags = OptionsOf<typeof suiteOptions>

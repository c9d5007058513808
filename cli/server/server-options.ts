import { Command, Option } from 'commander'
import { generatorOptions } from '../../fixtures/generator-options.ts'
import { processNames } from '../../fixtures/processes/names.ts'
import { scenarioNames } from '../../fixtures/scenarios/index.ts'
import type { FaultText } from '../../mock/app/faults/fault.ts'
import { authOptions } from './auth-options.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import {
  duration,
  embeddedScale,
  inputFile,
  integer,
  pairs,
  repeatable,
  secret,
  timeLimitOption,
  workers,
} from '../options/parse.ts'
import { plantOptions, reportByExceptionText } from '../options/plant.ts'

/**
 * The options that `serve` and `exec` share.
 *
 * @param listen the default address
 */
export const serverOptions = (listen: string) =>
  withOptions(
    withOptions(
      new Command()
        .option('--listen <host:port>', 'address; port 0 picks a free port', listen)
        .addOption(
          new Option('--port <n>', 'port on the default host').argParser(integer).conflicts('listen'),
        ),
      authOptions(),
    ),
    plantOptions(embeddedScale, 'amount of data, 0.01 to 3'),
  )
    .addOption(
      new Option(
        '--data <dir>',
        'serve your own rows: <view>.ndjson, .csv (also .gz, .zst) or .parquet',
      ).conflicts([...generatorOptions]),
    )
    .option(
      '--runs <n>',
      'number of runs with data (default: as many as --scale gives); fewer than 12 may end weeks before --as-of',
      integer,
    )
    .addOption(new Option('--process <name>', 'simulate only this process').choices(processNames))
    .option('--point-interval <duration>', 'time between the points of a series, such as 1m', duration)
    .option('--report-by-exception', reportByExceptionText)
    .addOption(
      new Option('--scenario <name>', 'serve chosen rows with known ids, see docs/data.md')
        .choices(scenarioNames)
        .conflicts(generatorOptions.filter((name) => name !== 'scenario')),
    )
    .option('--skip-invalid', 'with --data: list and skip rows that violate the contract')
    .option(
      '--workers <n>',
      'engines that stay; while all are busy, more start, up to one more than the cores (default: 1); with --database: connections (default: 8)',
      workers,
    )
    .addOption(timeLimitOption('how long a statement may run'))
    .addOption(
      new Option('--sql <kinds>', 'accept any read-only SELECT, or only documented statements')
        .choices(['any', 'documented'])
        .default('any'),
    )
    .option(
      '--variant <id=variant>',
      'choose a variant for an open point, see `contract reference`; repeatable, or a=b,c=d',
      pairs('=', 'id=variant, such as rows.shape=array', { isList: true }),
    )
    .option('--profile <file>', 'use the settings that conformance --profile-out recorded', inputFile)
    .option(
      '--fault <spec>',
      'inject a fault, such as status:503,rate=0.2 (see below); repeatable',
      repeatable as (text: string, before?: FaultText[]) => FaultText[],
    )
    .option('--base-path <path>', 'path in front of /external/v1/statements/')
    .addOption(
      new Option(
        '--database <url>',
        'run statements on a PostgreSQL of your own, such as postgres://role@h1,h2/name, which `fixtures load` fills',
      )
        .argParser(secret)
        .conflicts(['data', ...generatorOptions]),
    )
    .addOption(
      new Option('--database-clock <clock>', 'the time that now() tells in SQL (default: plant)')
        .choices(['plant', 'real'])
        .conflicts(['data', 'database']),
    )
    .option('--schema <name>', 'with --database: the schema of the views (default: bioprocess)')

export type ServerFlags = OptionsOf<typeof serverOptions>

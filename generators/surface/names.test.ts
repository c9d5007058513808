import { expect, test } from 'vitest'
import { commandLine, declared, unexplained } from './names.ts'

const report = `
declare namespace entry_msw {
    export {
        createMock,
        Mock_2 as Mock,
        Fault
    }
}

declare namespace entry_client {
    export {
        Fault
    }
}

declare namespace inner {
    export {
        Concealed
    }
}

const createMock: (options?: Options) => Mock_2;

interface Options {
    readonly 'user-agent'?: string;
    run(task: string): void;
}

interface Base<Row> {
    rows: Row;
}

class Mock_2 extends Base<Rows> implements Other {
    constructor();
    static readonly live: {
        speed?: number;
        [key: string]: unknown;
    };
}

type Fault = {
    type: 'reset';
} | {
    status: number;
};

interface Concealed {
    far: true;
}

`

test('exports are named by entry, members and values by type, also those that it inherits, and types without a name are *', () => {
  expect([...declared(report)].toSorted()).toEqual([
    'client Fault',
    'msw Fault',
    'msw Mock',
    'msw createMock',
    'type *.rows',
    'type *.run',
    'type *.user-agent',
    "type Fault.'reset'",
    'type Fault.status',
    'type Fault.type',
    'type Mock.constructor',
    'type Mock.live',
    'type Mock.live.speed',
    'type Mock.rows',
  ])
})

test('commands, flags and the values to choose from are named, also behind a line break', () => {
  const help = `Usage: bioprocess-sql [options]

Commands:
  fixtures [options]  Load the
                      plant.

Environment:
  A_TOKEN  the token

Usage: bioprocess-sql fixtures load [options] <form>

Arguments:
  form  format (choices: "ddl",
        "smoke")

Options:
  -h, --help     help
  --sql <kinds>  what to
                 accept (choices: "any", "documented",
                 default: "any")
`
  expect([...commandLine(help)]).toEqual([
    'cli fixtures',
    'cli A_TOKEN',
    'cli fixtures load form',
    'cli fixtures load ddl',
    'cli fixtures load smoke',
    'cli fixtures load --help',
    'cli fixtures load --sql',
    'cli fixtures load --sql any',
    'cli fixtures load --sql documented',
  ])
})

const released = [
  'cli fixtures plot',
  'cli fixtures plot --out',
  'cli fixtures plot-all',
  'cli serve --sql documented',
  'msw createMock',
  'type MockOptions.token',
  'type MockOptions.live.speed',
  'type *.sampleRead',
  'exit incomplete 3',
]

/** The released names that a changelog does not name, after some are gone. */
const left = (gone: RegExp, text: string, heading = 'Removed') =>
  unexplained(
    released,
    released.filter((name) => !gone.test(name)),
    `## Unreleased\n\n### Added\n\n- \`none\`\n\n### ${heading}\n\n- Gone: \`${text}\`.\n\n## 1.0.0\n\n### Removed\n\n- \`exit incomplete 3\`\n`,
  )

test.each([
  [/plot( |$)/, 'fixtures plot'],
  [/plot( |$)/, 'cli fixtures plot'],
  [/--out/, 'fixtures plot\n  --out'],
  [/documented/, 'serve --sql documented'],
  [/documented/, 'serve --sql'],
  [/createMock/, 'createMock'],
  [/token/, 'MockOptions.token'],
  [/MockOptions/, 'MockOptions'],
  [/sampleRead/, 'Check.run.sampleRead'],
  [/exit/, 'exit incomplete 3'],
])('what is gone as %s is named by `%s`, below "Removed" and "Changed" only', (gone, text) => {
  expect(left(gone, text)).toEqual([])
  expect(left(gone, text, 'Changed')).toEqual([])
  expect(left(gone, text, 'Added')).toEqual(released.filter((name) => gone.test(name)))
})

test.each([
  [/--out/, 'fixtures plot'],
  [/plot-all/, 'fixtures plot'],
  [/plot( |$)/, 'plot'],
  [/token/, 'MockOptions'],
  [/token/, 'token'],
  [/createMock/, 'msw createMocks'],
  [/exit/, '3'],
])('what is gone as %s is not named by `%s`, which is another thing or still there', (gone, text) => {
  expect(left(gone, text)).toEqual(released.filter((name) => gone.test(name)))
})

import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExamplesProject } from '../support/examples-project.ts'
import { pageCommands } from '../support/page-commands.ts'
import { describePage, expectRulesUsed, type Rule, type Rules } from '../support/page-tests.ts'

// Runs the commands in the READMEs of examples/foreign where the databases are installed. Their ports are fixed.

let project: ReturnType<typeof createExamplesProject>
beforeAll(() => {
  project = createExamplesProject(['foreign'])
}, 300_000)
afterAll(() => project?.remove())

const isRoot = process.getuid?.() === 0

/** A command with the folder of the test in place of /tmp. MariaDB has to be told that it runs as root. */
const inFolder = (command: string): string =>
  command
    .replaceAll('/tmp/', `${project.dir}/`)
    .replace(' --no-defaults', ` --no-defaults${isRoot ? ' --user=root' : ''}`)

/** A verdict that rests on the checks of these requirements. */
const judged = (requirements: readonly string[]): Rule => ({
  as: inFolder,
  exitCode: 1,
  proof: ({ stdout }) => {
    const [, reasons = ''] = stdout.split('\nwhy non-conformant\n')
    expect([...new Set([...reasons.matchAll(/^ {2}(REQ-[A-Z0-9-]+)/gm)].map(([, id]) => id))]).toEqual(
      requirements,
    )
  },
})

const adapter: Rule = { as: inFolder, serves: /Listening on (\S+)/ }
const debian: Rules[number] = [/^apt-get/, { elsewhere: 'a test installs no packages of the system' }]

const examples: Readonly<Record<string, { program: string; rules: Rules }>> = {
  'mariadb-dbhub': {
    program: 'mariadbd',
    rules: [
      debian,
      [/^mariadbd /, { as: inFolder, serves: /ready for connections/ }],
      [/npm run dbhub/, { as: inFolder, serves: /MCP server endpoint/ }],
      [/adapter\.mjs/, adapter],
      [/conformance/, judged(['REQ-SQL-6', 'REQ-ERR-1'])],
      [/./, { as: inFolder }],
    ],
  },
  clickhouse: {
    program: 'clickhouse-server',
    rules: [
      debian,
      // the other example has exported the same rows
      [/fixtures export/, { as: (command) => `rm -rf plant && ${inFolder(command)}` }],
      [
        /clickhouse-server/,
        {
          as: (command) =>
            `${inFolder(command)} & until clickhouse-client --query 'SELECT 1'; do sleep 0.2; done; wait`,
          serves: /^1$/m,
        },
      ],
      [/adapter\.mjs/, adapter],
      [/conformance/, judged(['REQ-VIEW-TYPES', 'REQ-ERR-1', 'REQ-TIME-1'])],
      [/./, { as: inFolder }],
    ],
  },
}

for (const [name, { program, rules }] of Object.entries(examples)) {
  const page = `examples/foreign/${name}/README.md`
  const commands = pageCommands().flatMap((one) => (one.page === page ? [one.command] : []))
  const lacks = spawnSync(program, ['--version']).error ? program : undefined
  test(`each rule is for a command of ${page}`, () => expectRulesUsed(rules, commands))
  describePage(
    page,
    commands,
    rules.map(([part, rule]) => [part, { ...rule, lacks }]),
    {
      folder: () => project.dir,
      env: () => ({}),
    },
  )
}

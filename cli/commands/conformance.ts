import { checkAddress } from '../suite/check-address.ts'
import { suiteOptions } from '../suite/suite-options.ts'

const NOTES = `
A check that can fail sends only documented statements, apart from one that calls
an unknown function and one that sleeps. Nothing is written to the target without
--destructive-probes. Reports never contain a token, and contain row values only
with --evidence full; otherwise they show the shape of a value ("0000-00-00" for
"2026-01-31"). They do contain the statements sent.

Examples:
  $ bioprocess-sql conformance --self
      tests the reference server: shows what a report looks like
  $ bioprocess-sql conformance --base-url https://data.example.org \\
      --token "@token.txt" --report json=report.json --report html=report.html
      tests a service; takes a little longer than its time limit of 30 s
  $ bioprocess-sql conformance --base-url http://127.0.0.1:8080 --no-auth \\
      --only "delta.*" --allow-incomplete
      runs a few checks
  $ bioprocess-sql conformance --base-url ... --write-baseline known.json
      writes the failures to a baseline; add a reason to each, and optionally a
      date to "expires"
  $ bioprocess-sql conformance --base-url ... --baseline known.json
      accepts the known failures; fails for any other, and for a baseline entry
      whose check now passes
  $ bioprocess-sql conformance --base-url ... --fuzz 500
      sends 500 more generated statements and compares them with the rows of the
      service itself
  $ bioprocess-sql conformance --base-url ... --seeded --fuzz 2000
      compares a service that has loaded \`fixtures export\` row by row with the
      reference server`

export const conformanceCommand = () =>
  suiteOptions()
    .addHelpText('after', NOTES)
    .action(async (options, command) => {
      // imported here so that other commands start without the suite
      const { runSuite, listChecks } = await import('../suite/run-suite.ts')
      if (options.list) listChecks()
      else if (options.explain !== undefined) {
        const { explain } = await import('../suite/explain.ts')
        process.stdout.write(explain(options.explain))
      } else {
        checkAddress(command)
        await runSuite(options)
      }
    })

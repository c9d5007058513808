import { Command } from 'commander'
import { say } from '../output/log.ts'

const EXAMPLES = `
The page of a running server is at its address, such as http://127.0.0.1:4010/.

Examples:
  $ bioprocess-sql console --static playground
      writes the page with the server in it; any host of static files can serve it`

export const consoleCommand = () =>
  new Command('console')
    .description('Write the page of the server as a playground that needs no server.')
    .requiredOption('--static <dir>', 'folder to write; it must be empty, or one that this command wrote')
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { writeStaticConsole } = await import('../server/static-console.ts')
      await writeStaticConsole(options.static)
      say(`Wrote ${options.static}. Serve it, for example: npx serve ${options.static}`)
    })

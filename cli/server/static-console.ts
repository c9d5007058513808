import { existsSync } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from '../../base/files/make-folder.ts'
import { pageFolder } from '../../mock/node/page-files.ts'
import { CommandError, EXIT } from '../exit.ts'
import { writing } from '../files/output-file.ts'

/** The engine of a page, as the build packs it. */
const engineFolder = 'engine'
const engineFiles = ['packed.js', 'packed-data.js', 'packed.licences.txt']

/**
 * Writes the page as a playground that needs no server: any host of static files can serve it.
 *
 * @throws CommandError if the folder has other files, or the page is not built
 */
export async function writeStaticConsole(folder: string): Promise<void> {
  const built = pageFolder()
  if (!built)
    throw new CommandError('The page is not built. Run `npm run build` in the clone first.', EXIT.failed)
  const source = fileURLToPath(built)
  const target = resolve(folder)
  writing('page', folder, EXIT.failed, () => makeFolder(target))
  if (!(await isOurs(target)))
    throw new CommandError(`${folder} has other files. Name an empty or a new folder.`, EXIT.usage)
  await rm(join(target, 'console'), { recursive: true, force: true })
  await cp(source, join(target, 'console'), {
    recursive: true,
    filter: (path) => !path.endsWith('.html'),
  })
  await cp(join(source, 'playground.html'), join(target, 'index.html'))
  for (const name of engineFiles)
    await cp(join(source, '../mock/browser', name), join(target, 'console', engineFolder, name))
}

/** Whether a folder is empty, or has what this command wrote and nothing else at its top. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await readdir(folder)
  if (found.length === 0) return true
  return found.toSorted().join() === 'console,index.html' && existsSync(join(folder, 'console', engineFolder))
}

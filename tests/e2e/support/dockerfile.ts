import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from './cli.ts'
import { runBash } from './pipeline.ts'
import { sources } from './sources.ts'

/** What the last stage of a Dockerfile runs. Paths of the image are below a folder of this machine. */
export interface Image {
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
  user: string
  environment: Record<string, string>
  /** The folder that stands for `/` of the last stage. */
  folder: string
  workdir: string
}

interface Instruction {
  name: string
  rest: string
}

const instructionsOf = (text: string): Instruction[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line)!
      return { name: name!, rest: rest! }
    })

/**
 * Executes the steps of the repository's Dockerfile on this machine, without docker: each stage is a folder, and absolute paths in the
 * steps are paths in it. It shows that the steps work and that the image would be complete, not that its base image fits.
 */
export async function buildImage(folder: string): Promise<Image> {
  const stages = new Map<string, string>()
  let [stage, workdir] = ['', '']
  const image: Image = {
    entrypoint: [],
    command: [],
    healthcheck: [],
    user: 'root',
    environment: {},
    folder: '',
    workdir: '',
  }
  /** A path of the image, or a text with such paths, on this machine. */
  const onHere = (text: string, where = stage) =>
    text.replaceAll(/(?<![\w.:/-])\/(?=(build|app|work)\b)/g, `${where}/`)
  const json = (text: string) => (JSON.parse(text) as string[]).map((word) => onHere(word))
  for (const { name, rest } of instructionsOf(readFileSync(join(root, 'Dockerfile'), 'utf8')))
    switch (name) {
      case 'FROM': {
        stage = join(folder, `stage-${stages.size}`)
        stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? 'last', stage)
        image.environment = {}
        break
      }
      case 'ENV': {
        const [key, value] = rest.split('=') as [string, string]
        image.environment[key] = value
        break
      }
      case 'WORKDIR':
        workdir = onHere(rest)
        mkdirSync(workdir, { recursive: true })
        break
      case 'COPY':
        copy(rest)
        break
      case 'RUN': {
        // the user of the base image does not exist here
        const script = `chown() { [ "$1" = node ]; }\n${onHere(rest)}`
        const { exitCode, stdout, stderr } = await runBash(script, workdir, image.environment)
        if (exitCode !== 0) throw new Error(`RUN ${rest} failed:\n${stdout}\n${stderr}`)
        break
      }
      case 'USER':
        image.user = rest
        break
      case 'HEALTHCHECK':
        image.healthcheck = json(rest.slice(rest.indexOf('CMD ') + 4))
        break
      case 'ENTRYPOINT':
        image.entrypoint = json(rest)
        break
      case 'CMD':
        image.command = json(rest)
        break
      case 'EXPOSE':
        break
      default:
        throw new Error(`Teach tests/e2e/support/dockerfile.ts the instruction ${name}.`)
    }
  return { ...image, folder: stage, workdir }

  function copy(rest: string): void {
    const [, from, source, target] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest)!
    if (from === undefined) {
      if (source !== '.' || target !== '.')
        throw new Error(`Teach tests/e2e/support/dockerfile.ts COPY ${rest}.`)
      for (const path of sources()) cpSync(join(root, path), join(workdir, path))
      return
    }
    const ending = basename(source!).replace('*', '')
    const origin = dirname(onHere(source!, stages.get(from)!))
    const files = readdirSync(origin).filter((file) => file.endsWith(ending))
    if (files.length === 0) throw new Error(`COPY ${rest} finds no file.`)
    for (const file of files) cpSync(join(origin, file), join(onHere(target!), file))
  }
}

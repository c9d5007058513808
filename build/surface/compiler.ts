import { resolve } from 'node:path'
// TypeScript 7 names its API unstable: a later version may need changes here, and in the files that import from here.
import { API, type Checker, type Emitter, type Program } from 'typescript/unstable/sync'

export interface Compiler {
  readonly root: string
  readonly checker: Checker
  readonly program: Program
  readonly emitter: Emitter
}

/** Gives `use` the compiled sources of the package. */
export async function withCompiler<Result>(
  root: string,
  use: (compiler: Compiler) => Promise<Result>,
): Promise<Result> {
  const api = new API({ cwd: root })
  try {
    const config = resolve(root, 'tsconfig.build.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} cannot be read.`)
    const { checker, program, emitter } = project
    return await use({ root, checker, program, emitter })
  } finally {
    api.close()
  }
}

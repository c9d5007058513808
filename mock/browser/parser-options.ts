import type { Request } from '../engine/pool/protocol.ts'
import { scope } from './platform.ts'

/** The compiled parser, once the message that starts the engine brings it. */
const parser = new Promise((resolve) =>
  scope.addEventListener('message', ({ data }: { data: Request }) => {
    if (data.type === 'boot') resolve(data.artifacts.parser)
  }),
)

/** What libpg-query is started with in the worker of a page: it would look for its file beside a script that has no place. */
export const parserOptions = {
  instantiateWasm(imports: unknown, receive: (instance: unknown) => void): object {
    void parser.then((module) => scope.WebAssembly.instantiate(module, imports)).then(receive)
    return {}
  },
}

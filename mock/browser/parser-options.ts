import type { Request } from '../engine/pool/protocol.ts'
import { scope } from './platform.ts'

/** The compiled parser, from the message that boots the engine. */
const parser = new Promise((resolve) =>
  scope.addEventListener('message', ({ data }: { data: Request }) => {
    if (data.type === 'boot') resolve(data.artifacts.parser)
  }),
)

/** The options of libpg-query in the worker of a page, where it cannot load its file because the script has no URL. */
export const parserOptions = {
  instantiateWasm(imports: unknown, receive: (instance: unknown) => void): object {
    void parser.then((module) => scope.WebAssembly.instantiate(module, imports)).then(receive)
    return {}
  },
}

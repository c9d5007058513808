/**
 * The entries `./msw` and `./mock` where the engine cannot run: in React Native, whose Hermes has no WebAssembly, and in Deno. Only a call
 * fails, so that the module can be imported in place of the others.
 */
export { connectSession } from './control/connect-session.ts'
export { ControlError } from './control/session.ts'
export { scenarios } from '../fixtures/scenarios/index.ts'

class NoEngine extends Error {
  override readonly name = 'NoEngine'
}
export {
  NoEngine as AuthOptionsError,
  NoEngine as FaultError,
  NoEngine as MockError,
  NoEngine as ServerError,
  NoEngine as UnknownVariant,
}

function refuse(): never {
  throw new NoEngine(
    'The mock runs its database in Node, in Bun or in a page, and neither in React Native nor in Deno. Run `npx bioprocess-sql serve` ' +
      'in another process, and send the requests to the address that it prints.',
  )
}
export {
  refuse as createMock,
  refuse as createReference,
  refuse as parseFault,
  refuse as parseVariants,
  refuse as startServer,
}

const refusing = new Proxy([], { get: refuse })
export { refusing as handlers, refusing as on }

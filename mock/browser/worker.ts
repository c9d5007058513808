import { type EnginePort, serveEngine } from '../engine/pool/serve-engine.ts'
import { scope } from './platform.ts'
import { type ImageReply, type ImageTask, makeImage } from './image.ts'

/** The message port of the worker of a page. */
const pagePort: EnginePort = {
  on(event, listener) {
    scope.addEventListener(event, ({ data }) => listener(data))
  },
  postMessage: (message, transfer) => scope.postMessage(message, transfer),
}

/** The worker of a page: it runs an engine, like a thread of node, or unpacks the image of the engines. */
serveEngine(pagePort)
scope.addEventListener('message', ({ data }: { data: ImageTask }) => {
  if (data.type === 'image') void answer(data)
})

async function answer(task: ImageTask): Promise<void> {
  const reply = await makeImage(task).then(
    (image): ImageReply => ({ type: 'image', image }),
    (error: unknown): ImageReply => ({ type: 'unfit', message: String(error) }),
  )
  scope.postMessage(reply, [])
}

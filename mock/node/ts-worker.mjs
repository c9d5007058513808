// Lets a worker thread run TypeScript: Node 20 gives threads no loader of their own.
import { register } from 'tsx/esm/api'

register()
await import(process.argv[2])

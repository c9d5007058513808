export { startProxy, type Proxy, type ProxyOptions } from './start-proxy.ts'
export type { Judgement } from './judgement.ts'

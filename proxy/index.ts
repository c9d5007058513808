export { startProxy, type Proxy, type ProxyOptions } from './start-proxy.ts'
export { type Gap, gaps, type Judgement } from './judgement.ts'

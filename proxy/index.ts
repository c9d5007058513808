export { startProxy, ProxyError, type Proxy, type ProxyOptions } from './start-proxy.ts'
export type { Judgement } from './judge/judgement.ts'
export { reportText } from './report-text.ts'

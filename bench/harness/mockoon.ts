import { contract } from '../../schemas/index.ts'

/** A Mockoon environment with one route and a fixed answer. */
export function mockoonEnvironment(port: number, reply: string): object {
  const route = 'd4f2c1a0-5d0e-4c4e-9a51-3b8a8f6f0001'
  const response = {
    uuid: 'd4f2c1a0-5d0e-4c4e-9a51-3b8a8f6f0002',
    label: 'recorded',
    default: true,
    statusCode: 200,
    latency: 0,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    body: reply,
    disableTemplating: true,
    fallbackTo404: false,
    filePath: '',
    sendFileAsBody: false,
    databucketID: '',
    crudKey: 'id',
    rules: [],
    rulesOperator: 'OR',
    callbacks: [],
  }
  return {
    uuid: 'd4f2c1a0-5d0e-4c4e-9a51-3b8a8f6f0000',
    lastMigration: 33,
    name: 'bench',
    hostname: '127.0.0.1',
    port,
    endpointPrefix: '',
    latency: 0,
    folders: [],
    rootChildren: [{ type: 'route', uuid: route }],
    routes: [
      {
        uuid: route,
        type: 'http',
        documentation: '',
        method: contract.endpoint.method.toLowerCase(),
        endpoint: contract.endpoint.path.replace(/^\//, ''),
        responses: [response],
        responseMode: null,
        streamingMode: null,
        streamingInterval: 0,
      },
    ],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  }
}

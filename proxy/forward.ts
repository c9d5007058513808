import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { Connection } from './connection.ts'
import { passedOn } from './headers.ts'
import type { Recorder } from './recorder.ts'

/** The service decides how long headers may be; node allows 16 KiB. */
export const MOST_HEADER_BYTES = 1024 * 1024

export interface ForwardOptions {
  /** The base URL of the target. Its path is put in front of that of each request. */
  readonly target: URL
  /** Records a request; called when it arrives. */
  readonly record: (incoming: IncomingMessage) => Recorder
  /** Called with a sentence when the target cannot be used. */
  readonly onFailure: (sentence: string) => void
  /** Certificate authorities to trust in addition to the built-in ones, in PEM. */
  readonly ca?: readonly string[]
}

/**
 * Passes requests to the target and answers to the client, byte for byte and with back pressure.
 *
 * It never answers on its own: if the target gives no answer, or ends in the middle of one, the connection of the client ends
 * in the same place. Each connection of a client has one connection to the target, and they end together.
 */
export function forwardTo({ target, record, onFailure, ca }: ForwardOptions): RequestListener {
  const isSecure = target.protocol === 'https:'
  const { request } = isSecure ? https : http
  const connections = new WeakMap<Socket, Connection>()
  const connectionOf = (client: Socket): Connection => {
    const connection = connections.get(client) ?? new Connection(client, isSecure, ca)
    connections.set(client, connection)
    return connection
  }
  const prefix = target.pathname.replace(/\/$/, '')

  return (incoming, outgoing) => {
    const recorder = record(incoming)
    const connection = connectionOf(incoming.socket)
    const onward = request({
      agent: connection.agent,
      // without the brackets of an IPv6 address
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port || (isSecure ? 443 : 80),
      method: incoming.method,
      path: prefix + incoming.url,
      // node sends a flat list as it is; its types know only objects
      headers: ['Host', target.host, ...passedOn(incoming.rawHeaders, ['host'])] as never,
      setHost: false,
      maxHeaderSize: MOST_HEADER_BYTES,
    })
    connection.begin(onward)
    const cut = () => {
      onward.destroy()
      outgoing.destroy()
    }
    incoming.on('data', (chunk: Buffer) => recorder.sent(chunk))
    incoming.on('error', cut)
    incoming.pipe(onward)
    const fail = (error: NodeJS.ErrnoException) => {
      // after an answer began, its own events tell how it ended
      if (outgoing.headersSent) return
      if (!outgoing.destroyed) {
        recorder.end('reset')
        onFailure(failureOf(error, target))
      }
      cut()
    }
    onward.on('error', fail)
    onward.on('continue', () => outgoing.writeContinue())
    // an answer of 101 goes on in a protocol that nobody asked for
    onward.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(Object.assign(new Error('status 101'), { code: 'HPE_UPGRADE' }))
    })
    onward.on('response', (answer) => {
      try {
        passBack(answer, outgoing, recorder, cut)
      } catch (error) {
        // node reads a status such as 099 and a control character in the reason, but writes neither
        fail(Object.assign(error as Error, { code: 'HPE_INVALID_STATUS' }))
      }
    })
    outgoing.on('close', () => {
      connection.end()
      if (outgoing.writableFinished) recorder.end('complete')
      else {
        recorder.end('aborted')
        cut()
      }
    })
  }
}

function passBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  recorder: Recorder,
  cut: () => void,
): void {
  outgoing.sendDate = false
  outgoing.writeHead(answer.statusCode!, answer.statusMessage, passedOn(answer.rawHeaders))
  recorder.answered(answer)
  // the headers leave now; flushHeaders() would write bytes beyond ASCII as UTF-8
  outgoing.write(Buffer.alloc(0))
  answer.on('data', (chunk: Buffer) => recorder.received(chunk))
  answer.on('close', () => {
    if (answer.complete) return
    recorder.end('truncated')
    cut()
  })
  answer.on('error', () => {})
  answer.pipe(outgoing)
}

function failureOf({ code, message }: NodeJS.ErrnoException, target: URL): string {
  const host = target.host
  switch (code) {
    case 'ECONNREFUSED':
      return `${host} accepts no connection. Check --target.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host ${target.hostname}. Check --target.`
    case 'ECONNRESET':
      return `${host} ended a connection without an answer.`
    default:
      if (code?.startsWith('HPE_')) return `${host} answered something that is not HTTP (${code}).`
      return `${host} gave no answer (${code ?? message}).`
  }
}

import { describeReply, type Reply } from '../../connection/reply.ts'
import { fail, type Finding } from '../check.ts'

/** Fails because of one reply: `actual` describes it, and `curl` repeats its request. */
export const wrongReply = (reply: Reply, message: string, expected: string): Finding =>
  fail({ message, expected, actual: describeReply(reply), exchanges: [reply.exchange] })

import { counted } from '../../../base/text/counted.ts'
import { describeReply } from '../../connection/http/reply.ts'
import { executedOfSeveral } from '../../samples/several-statements.ts'
import { defineProbe, undetectable } from '../probe.ts'

export const probe = defineProbe('sql.multi', {
  read: executedOfSeveral,
  seen: ({ reply, rows, executed }) => {
    if (!reply.ok) return describeReply(reply)
    if (executed === 'both') return 'rows of both statements came back'
    const came = `${counted(rows, 'row')} came back`
    return executed ? `${came}, of the ${executed} statement` : came
  },
  variants: {
    error: ({ reply }) => !reply.ok,
    first: ({ executed }) => executed === 'first',
    last: ({ executed }) => executed === 'last',
    'all-last-result': undetectable('looks like last: a read leaves no trace'),
    merged: ({ executed }) => executed === 'both',
  },
})

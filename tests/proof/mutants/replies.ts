import { errorReply, onEnvelope, wrapper, type Call, type Envelope, type Mutant } from '../mutant.ts'

/** Replaces the replies to requests with a body that matches. */
const instead = (body: RegExp, answer: () => Response): Mutant['wrap'] =>
  wrapper(async (call, next) => (body.test(call.statement ?? call.body) ? answer() : next(call)))

const page = (status: number) => () =>
  new Response('<h1>Refused</h1>', { status, headers: { 'content-type': 'text/html' } })

/** A reply whose connection ends in its body. */
const cut = () =>
  new Response(
    new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"data":[{"id'))
        stream.error(new TypeError('terminated'))
      },
    }),
  )

const refusedForms: readonly (readonly [form: string, breaks: string, statement: RegExp])[] = [
  ['select-all', 'REQ-SQL-1', /^SELECT \* FROM v_formulas( LIMIT \d+)?$/],
  ['select-named', 'REQ-SQL-2', /^SELECT (?!id FROM)[^*]+ FROM v_timeseries( LIMIT \d+)?$/],
  ['limit', 'REQ-SQL-3', /^SELECT id FROM v_quantities LIMIT \d{3,}$/],
  ['date', 'REQ-SQL-4', /WHERE last_updated_at > .*\d{4}-/],
  ['newest', 'REQ-SQL-5', /\(SELECT MAX/],
  ['join', 'REQ-SQL-6', /JOIN/],
]

/** Runs `answer` instead of the service while more than `most` requests are in flight. */
const whenBusy = (most: number, answer: (call: Call, others: readonly Call[]) => Call | Response) =>
  ((fetch) => {
    const inFlight = new Set<Call>()
    return wrapper(async (call, next) => {
      inFlight.add(call)
      await new Promise((resolve) => setTimeout(resolve, 5))
      try {
        const changed = inFlight.size > most ? answer(call, [...inFlight]) : call
        return changed instanceof Response ? changed : await next(changed)
      } finally {
        inFlight.delete(call)
      }
    })(fetch)
  }) satisfies Mutant['wrap']

/** Defects of replies that break each time, and of statements in flight together. */
export const replyMutants: Mutant[] = [
  ...refusedForms.map(([form, breaks, statement]): Mutant => ({
    id: `replies-served-${form}`,
    breaks,
    defect: `A firewall refuses each statement like ${statement.source} with a page.`,
    wrap: instead(statement, page(403)),
  })),
  {
    id: 'replies-whole',
    breaks: 'REQ-HTTP-4',
    defect: 'Each reply with all columns of v_timeseries ends in its body.',
    wrap: instead(/^SELECT \* FROM v_timeseries\b/, cut),
  },
  {
    id: 'replies-whole-error',
    breaks: 'REQ-HTTP-4',
    defect: 'Each reply about an unknown view ends in its body.',
    wrap: instead(/v_no_such_view/, cut),
  },
  {
    id: 'replies-no-instant-504',
    breaks: 'REQ-TIME-1',
    defect: 'A gateway answers every join with 504 at once.',
    wrap: instead(/JOIN/, page(504)),
  },
  {
    id: 'parallel-refused',
    breaks: 'REQ-HTTP-1',
    defect: 'More than five statements at once get HTTP 500.',
    wrap: whenBusy(5, () => errorReply('Error executing statement', 500)),
  },
  {
    id: 'parallel-mixed-up',
    breaks: 'REQ-HTTP-1',
    defect: 'More than five statements at once get the rows of one of them.',
    wrap: whenBusy(5, (call, others) => ({ ...call, statement: others.at(-1)!.statement })),
  },
]

/** A wrapper with a state of its own, which each run begins anew. */
const remembering =
  (begin: () => Mutant['wrap']): Mutant['wrap'] =>
  (fetch) =>
    begin()(fetch)

/** Rewrites every nth success with rows of the statements that match. */
const everyNth = (n: number, applies: RegExp, rewrite: (rows: Envelope['data']) => Envelope['data']) =>
  remembering(() => {
    let count = 0
    return onEnvelope((envelope, { statement = '' }) => {
      const isCounted = envelope.data.length > 0 && applies.test(statement) && ++count % n === 0
      return isCounted ? { ...envelope, data: rewrite(envelope.data) } : envelope
    })
  })

const stale = (rows: Envelope['data']) =>
  rows.map((row) => {
    const text = ['name', 'unit', 'external_id'].find((key) => typeof row[key] === 'string')
    return text === undefined ? row : { ...row, [text]: `${String(row[text])} (old)` }
  })

/** Changes what comes directly behind a request that was refused. */
const behindError = (isBefore: (before: Call) => boolean, change: Parameters<typeof wrapper>[0]) =>
  remembering(() => {
    let follows = false
    return wrapper(async (call, next) => {
      const response = await (follows && call.statement !== undefined ? change(call, next) : next(call))
      const { status } = (await response.clone().json()) as Envelope
      follows = !follows && status.state === 'error' && isBefore(call)
      return response
    })
  })

/** The error of a service that does not find the view of a statement. */
const missingView = (statement: string): Response | undefined => {
  const [, view] = /\bfrom (v_\w+)/i.exec(statement) ?? []
  return view === undefined ? undefined : errorReply(`relation "${view}" does not exist`)
}

/** Answers every nth request itself. */
const everyNthRequest = (n: number, answer: (call: Call) => Response | undefined) =>
  remembering(() => {
    let count = 0
    return wrapper((call, next) => {
      const own = ++count % n === 0 ? answer(call) : undefined
      return own ? Promise.resolve(own) : next(call)
    })
  })

/** Defects of a state that one request leaves to others. */
export const steadyMutants: Mutant[] = [
  {
    id: 'every-fifth-answer-stale',
    breaks: 'REQ-SQL-2',
    defect:
      'Every fifth answer over one view has an earlier text in each row, with the same last_updated_at.',
    wrap: everyNth(5, /^select (?!.* join )/i, stale),
  },
  {
    id: 'every-second-join-stale',
    breaks: 'REQ-JOIN-1',
    defect: 'Every second answer of a join has an earlier text in each row.',
    wrap: everyNth(2, / join /i, stale),
  },
  {
    id: 'wide-rows-lost',
    breaks: 'REQ-SQL-3',
    defect: 'Rows of more than 8 KiB are missing in every answer.',
    wrap: onEnvelope(({ data, status }) => ({
      status,
      data: data.filter((row) => JSON.stringify(row).length <= 8192),
    })),
  },
  {
    id: 'runs-lost-with-all-columns',
    breaks: 'REQ-SQL-3',
    defect: 'Answers with all columns of v_bioprocesses lack the run that changed last.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => {
      const isWide = / from v_bioprocesses\b(?!.* join )/i.test(statement) && 'lineage' in (data[0] ?? {})
      const updates = data.map((row) => String(row['last_updated_at'])).toSorted()
      return { status, data: isWide ? data.filter((row) => row['last_updated_at'] !== updates.at(-1)) : data }
    }),
  },
  {
    id: 'every-seventh-answer-empty',
    breaks: 'REQ-SQL-3',
    defect: 'Every seventh answer over one view without WHERE has no rows.',
    wrap: everyNth(7, /^select (?!.* (join|where) )/i, () => []),
  },
  {
    id: 'statement-refused-behind-error',
    breaks: 'REQ-HTTP-1',
    defect: 'The statement behind a refused one is refused too.',
    wrap: behindError(
      () => true,
      async () => errorReply('current transaction is aborted'),
    ),
  },
  {
    id: 'statement-refused-behind-exception',
    breaks: 'REQ-HTTP-1',
    defect: 'The statement behind one that fails while it runs is refused: the transaction stays aborted.',
    wrap: behindError(
      ({ statement = '' }) => statement.includes('no_such_function'),
      async () =>
        errorReply('current transaction is aborted, commands ignored until end of transaction block'),
    ),
  },
  {
    id: 'views-unknown-behind-exception',
    breaks: 'REQ-HTTP-1',
    defect: 'The statement behind one that fails while it runs finds no view: the search path is lost.',
    wrap: behindError(
      ({ statement = '' }) => statement.includes('no_such_function'),
      async ({ statement = '' }) => missingView(statement) ?? errorReply('Error executing statement'),
    ),
  },
  {
    id: 'views-unknown-at-times',
    breaks: 'REQ-VIEW-EXISTS:v_experiments',
    defect: 'The third statement over each view does not find it.',
    wrap: remembering(() => {
      const counts = new Map<string, number>()
      return wrapper((call, next) => {
        const [, view = ''] = /^select (?!no_).* from (v_\w+)( limit \d+)?$/i.exec(call.statement ?? '') ?? []
        counts.set(view, (counts.get(view) ?? 0) + 1)
        const missing = counts.get(view) === 3 ? missingView(call.statement!) : undefined
        return missing ? Promise.resolve(missing) : next(call)
      })
    }),
  },
  {
    id: 'statements-refused-at-times',
    breaks: 'REQ-HTTP-1',
    defect: 'One statement in eleven is refused with HTTP 500.',
    wrap: everyNthRequest(11, () => errorReply('internal error', 500)),
  },
  {
    id: 'second-statement-behind-error-lost',
    breaks: 'REQ-HTTP-1',
    defect: 'The second statement behind one about an unknown view is refused with a page.',
    wrap: remembering(() => {
      let since = Infinity
      return wrapper((call, next) => {
        since = /v_no_such_view/.test(call.body) ? 0 : since + 1
        return since === 2 ? Promise.resolve(page(500)()) : next(call)
      })
    }),
  },
  {
    id: 'rows-kept-behind-broken-body',
    breaks: 'REQ-SQL-2',
    defect: 'The answer behind a body that is not JSON repeats its first row.',
    wrap: behindError(
      ({ statement }) => statement === undefined,
      async (call, next) => {
        const response = await next(call)
        const envelope = (await response.clone().json()) as Envelope
        return Response.json({ ...envelope, data: envelope.data.map(() => envelope.data[0]) })
      },
    ),
  },
  {
    id: 'filter-dropped-behind-error',
    breaks: 'REQ-DELTA-6',
    defect: 'The statement behind a refused one loses its WHERE.',
    wrap: behindError(
      () => true,
      (call, next) => next({ ...call, statement: call.statement!.replace(/ where .*$/i, '') }),
    ),
  },
  {
    id: 'sixth-execution-with-first-date',
    breaks: 'REQ-DELTA-6',
    defect:
      'From its sixth execution on, a delta that differs from others in its date has that of the first.',
    wrap: remembering(() => {
      const known = new Map<string, { first: string; count: number }>()
      return wrapper((call, next) => {
        const { statement = '' } = call
        const date = /'\d{4}-[^']*'/
        if (!date.test(statement)) return next(call)
        const shape = statement.replace(date, '?')
        const { first, count } = known.get(shape) ?? { first: statement, count: 0 }
        known.set(shape, { first, count: count + 1 })
        return next(count < 5 ? call : { ...call, statement: first })
      })
    }),
  },
  {
    id: 'limit-kept-for-next-statement',
    breaks: 'REQ-SQL-3',
    defect: 'A statement without LIMIT has the LIMIT of the one before it.',
    wrap: remembering(() => {
      let limit = ''
      return wrapper((call, next) => {
        const { statement } = call
        const own = / limit \d+$/i.exec(statement ?? '')?.[0] ?? ''
        const kept = own === '' ? limit : ''
        limit = own
        return next(statement === undefined ? call : { ...call, statement: statement + kept })
      })
    }),
  },
  {
    id: 'answers-cached-by-sorted-words',
    breaks: 'REQ-JOIN-1',
    defect: 'Two statements of the same words in another order get one answer.',
    wrap: remembering(() => {
      const known = new Map<string, Promise<Response>>()
      return wrapper(async (call, next) => {
        const key = call.statement?.split(/\W+/).toSorted().join(' ')
        if (key === undefined) return next(call)
        const answer = known.get(key) ?? next(call)
        known.set(key, answer)
        return (await answer).clone()
      })
    }),
  },
  {
    id: 'last-success-for-refusals',
    breaks: 'REQ-ERR-4',
    defect: 'A request that is refused gets the last answer with rows.',
    wrap: remembering(() => {
      let last: Response | undefined
      return wrapper(async (call, next) => {
        const response = await next(call)
        const { data } = (await response.clone().json()) as Partial<Envelope>
        if (data && data.length > 0) last = response.clone()
        return last && !(data && data.length > 0) ? last.clone() : response
      })
    }),
  },
]

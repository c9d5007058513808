import { gzipSync } from 'node:zlib'
import { type Mutant, reply, wrapper } from '../mutant.ts'
import { all, every, html, joined, not, onText, star, subquery } from './helpers.ts'

export const transportMutants: readonly Mutant[] = [
  {
    id: 'blind-post-redirected',
    breaks: 'REQ-HTTP-1',
    defect: 'A gateway redirects every POST to another host instead of executing it.',
    wrap: wrapper(async (call, next) =>
      call.statement === undefined
        ? next(call)
        : new Response(null, { status: 308, headers: { location: 'https://sql.invalid/v1/statements/' } }),
    ),
  },
  {
    id: 'blind-post-not-allowed',
    breaks: 'REQ-HTTP-1',
    defect: 'The route knows only GET and answers POST with 405.',
    wrap: wrapper(async (call, next) =>
      call.init.method === 'POST'
        ? new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET' } })
        : next(call),
    ),
  },
  {
    id: 'blind-ninth-bad-gateway',
    breaks: 'REQ-HTTP-1',
    defect: 'One of nine backends is gone, so each ninth statement gets the 502 page of the gateway.',
    wrap: every(
      9,
      wrapper(async () => html(502, 'Bad Gateway')),
    ),
  },
  {
    id: 'blind-join-as-job',
    breaks: 'REQ-HTTP-4',
    defect: 'A join is queued: the answer is a job id instead of the envelope.',
    wrap: wrapper(async (call, next) =>
      joined(call) ? reply({ job_id: 'f81d4fae', state: 'queued' }, 202) : next(call),
    ),
  },
  {
    id: 'blind-xssi-prefix',
    breaks: 'REQ-HTTP-4',
    defect: 'A web framework puts a guard against script inclusion in front of the JSON.',
    wrap: onText((text) => `)]}',\n${text}`),
  },
  {
    id: 'blind-byte-order-mark',
    breaks: 'REQ-HTTP-4',
    defect: 'The body starts with two byte order marks, of which a reader removes only one.',
    wrap: onText((text) => `\uFEFF\uFEFF${text}`),
  },
  {
    id: 'blind-json-lines',
    breaks: 'REQ-HTTP-4',
    defect: 'Results of more than 50 rows are streamed as one JSON text per line.',
    wrap: onText(
      (_, { data, status }) => [...data, status].map((line) => JSON.stringify(line)).join('\n'),
      ({ data }) => data.length > 50,
    ),
  },
  {
    id: 'blind-json-in-json',
    breaks: 'REQ-HTTP-4',
    defect:
      'The envelope is serialised twice when the statement has a subquery, so the body is one JSON string.',
    wrap: onText(
      (text) => JSON.stringify(text),
      (_, call) => subquery(call),
    ),
  },
  {
    id: 'blind-cut-at-64k',
    breaks: 'REQ-HTTP-4',
    defect: 'A proxy buffer ends the body after 65,536 characters.',
    wrap: onText((text) => text.slice(0, 65_536)),
  },
  {
    id: 'blind-cut-before-status',
    breaks: 'REQ-HTTP-4',
    defect:
      'The content length is counted in characters, so a body with n non-ASCII characters loses its end.',
    wrap: onText((text) => new Uint8Array(Buffer.from(text).subarray(0, text.length))),
  },
  {
    id: 'blind-latin1-body',
    breaks: 'REQ-HTTP-4',
    defect: 'The body is encoded as Latin-1, so units such as °C are invalid UTF-8.',
    wrap: onText((text) => new Uint8Array(Buffer.from(text, 'latin1'))),
  },
  {
    id: 'blind-utf16-body',
    breaks: 'REQ-HTTP-4',
    defect: 'The body is encoded as UTF-16.',
    wrap: onText((text) => new Uint8Array(Buffer.from(text, 'utf16le'))),
  },
  {
    id: 'blind-gzip-undeclared',
    breaks: 'REQ-HTTP-4',
    defect: 'Bodies above 32 KB are compressed without the header that says so.',
    wrap: onText((text) => (text.length > 32_768 ? new Uint8Array(gzipSync(text)) : text)),
  },
  {
    id: 'blind-html-trailer',
    breaks: 'REQ-HTTP-4',
    defect: 'Middleware appends an HTML comment with its timing to the JSON.',
    wrap: onText((text) => `${text}\n<!-- served in 12 ms -->`),
  },
  {
    id: 'blind-raw-tab-in-text',
    breaks: 'REQ-HTTP-4',
    defect: 'The encoder writes a tab into event notes without escaping it.',
    wrap: onText((text) => text.replace(/("note":\s*"[^" ]+) /g, '$1\t')),
  },
  {
    id: 'blind-trailing-comma',
    breaks: 'REQ-HTTP-4',
    defect: 'A template writes a comma after every row, the last one included.',
    wrap: onText(
      (_, { data, status }) =>
        `{"data":[${data.map((row) => `${JSON.stringify(row)},`).join('')}],"status":${JSON.stringify(status)}}`,
    ),
  },
  {
    id: 'blind-bare-nan-in-statistics',
    breaks: 'REQ-HTTP-4',
    defect: 'A statistic that cannot be computed is written as NaN, which is not JSON.',
    wrap: onText((text) => text.replace(/("(?:standard_deviation|arithmetic_mean)":\s*)null/g, '$1NaN')),
  },
  {
    id: 'blind-python-literals',
    breaks: 'REQ-HTTP-4',
    defect: 'A row with a boolean is written as Python prints it, with True and False.',
    wrap: onText((text) => text.replace(/:\s*true\b/g, ': True').replace(/:\s*false\b/g, ': False')),
  },
  {
    id: 'blind-leading-zeros',
    breaks: 'REQ-HTTP-4',
    defect: 'Fractions below one are written without the zero before the point.',
    wrap: onText((text) => text.replace(/([:,[]\s*)0\.(\d)/g, '$1.$2')),
  },
  {
    id: 'blind-bare-rows',
    breaks: 'REQ-HTTP-4',
    defect: 'A SELECT of named columns returns the bare array of rows without the envelope.',
    wrap: onText(
      (_, { data }) => JSON.stringify(data),
      ({ status }, call) => status.state === 'success' && all(not(star), not(joined), not(subquery))(call),
    ),
  },
]

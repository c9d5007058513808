import { html, raw } from 'hono/html'
import { style } from './style.ts'

/**
 * A whole page in one file. Its content security policy allows only styles inside the page: no script, form or
 * request. A report from an unknown source is safe to open.
 */
export function page(title: string, body: ReturnType<typeof html>): string {
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.toString()
  return `${text}\n`
}

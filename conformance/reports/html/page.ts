import { html, Markup } from './tag.ts'
import { style } from './style.ts'

/**
 * A whole page in one file. Its policy forbids scripts, forms and every request, so that a report from anywhere can
 * be opened; styles within the page are all that is left.
 */
export function page(title: string, body: Markup): string {
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
          ${new Markup(style)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text
  return `${text.trimEnd()}\n`
}

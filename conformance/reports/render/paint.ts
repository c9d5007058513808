import { styleText } from 'node:util'

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours for a terminal, plain text for everything else. `NO_COLOR` is respected. */
export const painter = (stream: { isTTY?: boolean }): Paint =>
  stream.isTTY && !process.env['NO_COLOR']
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text

import { readRelationMessage } from '../../comparisons/relation-message.ts'
import { longUnknownView, unknownView } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { failureMessage, quoted } from '../replies.ts'

interface Wording {
  view: string
  message: string
  /** Whether the documented sentence is in the message. */
  documented: boolean
  /** Whether a long name comes back cut to 63 bytes; only asked where the message is the sentence itself. */
  cut: boolean
}

const sentence = (view: string): string => `relation "${view}" does not exist`

async function cutsNames(t: Target): Promise<boolean> {
  const view = longUnknownView(t)
  const { ok, message } = await t.shared(`SELECT id FROM ${view} LIMIT 1`)
  return !ok && readRelationMessage(message, view.slice(0, 63)).as !== 'wrong'
}

/** The documented sentence with these words of a database driver. */
const around = (test: (message: string) => boolean) => (wording: Wording) =>
  wording.documented && test(wording.message)

export const probe = defineProbe('errors.relation-text', {
  read: async (t: Target): Promise<Wording | undefined> => {
    const view = t.unknownView
    const message = failureMessage(await unknownView(t))
    if (message === undefined) return undefined
    return {
      view,
      message,
      documented: readRelationMessage(message, view).as !== 'wrong',
      cut: message === sentence(view) && (await cutsNames(t)),
    }
  },
  seen: ({ view, message, cut }) =>
    cut ? 'a name of 70 bytes was cut to 63' : quoted(message.replaceAll(view, '<view_name>')),
  variants: {
    exact: ({ view, message, cut }) => message === sentence(view) && !cut,
    'error-prefix': around((message) => message.startsWith('ERROR:')),
    'driver-prefix': around((message) => message.startsWith('(')),
    'line-suffix': around((message) => /\bLINE \d+:/.test(message)),
    'background-suffix': around((message) => /\(Background/.test(message)),
    backslashes: around((message) => message.includes('\\"')),
    '63-bytes': ({ cut }) => cut,
    'schema-qualified': around((message) => /relation \\?"\w+\\?("\.\\?"|\.)/.test(message)),
  },
})

import { signal } from '@preact/signals'

/** What the page says for two seconds. */
export const toast = signal<string | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

/** Says something for two seconds; readers of the screen hear it. */
export function say(text: string): void {
  toast.value = text
  clearTimeout(timer)
  timer = setTimeout(() => (toast.value = undefined), 2000)
}

/** Saves the text of a table as a file. */
export function save(content: string, name: string): void {
  const blob = new Blob([content], { type: 'text/csv' })
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000)
}

/** Copies a text to the clipboard, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`Copied: ${what}`)
  } catch {
    say('The browser does not let the page copy. Open it as https or localhost.')
  }
}

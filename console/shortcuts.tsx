import { useEffect } from 'preact/hooks'
import { focusFind } from './parts/focus.ts'

const keys = [
  ['/', 'to the editor or the search'],
  ['1 … 6', 'to a tab'],
  ['h', 'runs: to what happened'],
  ['f', 'traffic: to the faults'],
  ['d', 'remove all that is injected'],
  ['?', 'these keys'],
  ['Ctrl ↵', 'run the statement'],
  ['Esc', 'close a panel or a menu, leave the editor, cancel the statement'],
  ['← ↑ → ↓', 'table: to a cell or a header; lists, vessels: to an item; plot: to a point'],
  ['Space', 'runs: mark the run, to plot it with others'],
  ['p', 'plot the marked runs, or that of the open row'],
  ['Home End', 'table: to the ends of a row, with Ctrl to the first and last row'],
  ['Page ↑ ↓', 'table: a screen of rows; plot: 20 points'],
  ['↵', 'table: open the row, sort by the header'],
  ['Ctrl C', 'table: copy the cell'],
  ['Shift ← →', 'plot: pan'],
  ['+ − 0', 'plot: zoom, show all; a drag shows what it covers, and pans with Shift'],
] as const

/** Shows the list of the keys. */
export const showKeys = (): void => document.querySelector<HTMLDialogElement>('#keys')!.showModal()

const at = (selector: string) => document.querySelector<HTMLElement>(selector)

/** The keys of the page: what they do, and a list of them. */
export function Shortcuts() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (event.defaultPrevented || document.querySelector('dialog:modal')) return
      const target = event.composedPath()[0] as HTMLElement
      const run = at('main .run')
      if (key === 'Escape' && target.isContentEditable) return run?.focus()
      if (key === 'Escape') return at('main .cancel')?.click()
      if (key === 'Enter' && (ctrlKey || metaKey)) {
        // the button itself would run it once more
        event.preventDefault()
        return run?.click()
      }
      const isText = target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)
      // a box has no text to type
      if (ctrlKey || metaKey || altKey || (isText && target.getAttribute('type') !== 'checkbox')) return
      const tab = /^[1-9]$/.test(key) && document.querySelectorAll<HTMLElement>('.tabs a')[Number(key) - 1]
      if (tab) tab.click()
      else if (key === 'p') at('main .to-plot')?.click()
      else if (key === '/') focusFind()
      else if (key === 'h') at('.happened .curve')?.focus()
      else if (key === 'f') at('.presets button')?.focus()
      else if (key === 'd') at('.armed .all')?.click()
      else if (key === '?') showKeys()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <dialog id="keys" aria-labelledby="keys-heading">
      <form method="dialog" class="stack">
        <h2 id="keys-heading">Keys</h2>
        <dl class="facts">
          {keys.map(([key, does]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <p>
          <button class="primary">Close</button>
        </p>
      </form>
    </dialog>
  )
}

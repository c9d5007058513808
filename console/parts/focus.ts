/** Moves the focus to the editor of the tab, or else to its search. */
export function focusFind(): void {
  const editor = document.querySelector('main .editor > div')?.shadowRoot?.querySelector('.cm-content')
  const found = editor ?? document.querySelector('main .editor textarea, main input[type=search]')
  const folded = found?.closest('details')
  if (folded) folded.open = true
  ;(found as HTMLElement | null)?.focus()
}

/** Gives the focus to an element when it is there: as a `ref`. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

let hasMoved = false
addEventListener('hashchange', () => (hasMoved = true))

/** Gives the focus to what a link or *Back* leads to, if what had it is gone. A page that is loaded keeps it. */
export function arrive(element: HTMLElement | null): void {
  if (hasMoved && document.activeElement === document.body) element?.focus()
}

/** Lets the arrow keys, Home and End move the focus to those elements of a list. */
export const rove =
  (selector: string) =>
  (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    const element = to === undefined || event.defaultPrevented ? undefined : all[to]
    element?.focus()
    if (element) event.preventDefault()
  }

/** A button that opens a list of actions; it closes after one, on Escape, and when the focus leaves. */
export function Menu({ label, items }: { label: string; items: readonly (readonly [string, () => void])[] }) {
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.open = false
        event.currentTarget.querySelector('summary')?.focus()
      }}
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null))
          event.currentTarget.open = false
      }}
    >
      <summary class="button">
        {label} <span aria-hidden="true">▾</span>
      </summary>
      <div>
        {items.map(([name, act]) => (
          <button
            key={name}
            type="button"
            class="quiet"
            onClick={(event) => {
              event.currentTarget.closest('details')!.open = false
              act()
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </details>
  )
}

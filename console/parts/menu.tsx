/** The names of actions, and what they do. */
export type Items = readonly (readonly [name: string, act: () => unknown])[]

/** A button that opens a list of actions. It closes after one, unless it stays, on Escape, and when the focus leaves. */
export function Menu({ label, items, stays = false }: { label: string; items: Items; stays?: boolean }) {
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return
        // the panel around it stays
        event.stopPropagation()
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
        {items.map(([name, act], index) => (
          <button
            key={index}
            type="button"
            class="quiet"
            onClick={(event) => {
              const menu = event.currentTarget.closest('details')!
              menu.open = stays
              if (!stays) menu.querySelector('summary')?.focus()
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

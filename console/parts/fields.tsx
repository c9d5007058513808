import type { TargetedKeyboardEvent } from 'preact'

interface SearchProps {
  label: string
  value: string
  set: (text: string) => void
  title?: string
  placeholder?: string
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLInputElement>) => void
}

/** A search box that says what it searches; the key / leads to the first one of a tab. */
export const Search = ({ label, value, set, ...rest }: SearchProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onInput={({ currentTarget }) => set(currentTarget.value)}
    {...rest}
  />
)

interface SelectProps {
  label: string
  value: string | undefined
  /** The values, alone or with their texts. */
  options: readonly (string | readonly [value: string, text: string])[]
  set: (value: string) => void
  /** The class of a label that is shown; none: it is only heard. */
  shown?: string
}

/** A list to choose from. */
export const Select = ({ label, value, options, set, shown }: SelectProps) => (
  <label class={shown}>
    <span class={shown ? '' : 'hidden-label'}>{label}</span>
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option
        return (
          <option key={value} value={value}>
            {text}
          </option>
        )
      })}
    </select>
  </label>
)

import { signal } from '@preact/signals'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
/** Whether the page is dark now, as the operating system is; charts are drawn again when it changes. */
export const isDark = signal(prefersDark.matches)
prefersDark.addEventListener('change', ({ matches }) => (isDark.value = matches))

/** The value of a colour of the style sheet in the theme of now, such as that of `--accent`. */
export function colour(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

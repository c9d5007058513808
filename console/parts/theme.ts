import { computed, effect, signal } from '@preact/signals'

const choices = ['system', 'light', 'dark'] as const
type Theme = (typeof choices)[number]

const key = 'bioprocess-sql.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(prefersDark.matches)
prefersDark.addEventListener('change', ({ matches }) => (systemIsDark.value = matches))

/** The choice of the user; `system` follows the operating system. */
export const theme = signal<Theme>(choices.find((one) => one === localStorage.getItem(key)) ?? 'system')
/** Whether the page is dark now; charts are drawn again when it changes. */
export const isDark = computed(
  () => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value),
)

effect(() => {
  document.documentElement.style.colorScheme = isDark.value ? 'dark' : 'light'
  localStorage.setItem(key, theme.value)
})

/** Goes on to the next choice. */
export function nextTheme(): void {
  theme.value = choices[(choices.indexOf(theme.value) + 1) % choices.length]!
}

/** The value of a colour of the style sheet in the theme of now, such as that of `--accent`. */
export function colour(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

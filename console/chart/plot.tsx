export function Plot() {
  return <p class="empty">Nothing yet</p>
}

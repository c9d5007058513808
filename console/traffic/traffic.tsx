export function Traffic() {
  return <p class="empty">Nothing yet</p>
}

export function Judge() {
  return <p class="empty">Nothing yet</p>
}

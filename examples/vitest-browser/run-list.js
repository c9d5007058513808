/** The code under test: fills a list with the runs in progress, or with an error message. */
export async function showRuns(list, client) {
  try {
    const runs = await client.views.v_bioprocesses.select({ columns: ['name', 'status'] })
    const open = runs.filter(({ status }) => status === 'In-progress')
    list.replaceChildren(...open.map(({ name }) => item(name)))
  } catch (error) {
    list.replaceChildren(item(`No runs: ${error.message}`))
  }
}

const item = (text) => Object.assign(document.createElement('li'), { textContent: text })

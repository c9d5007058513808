import { createDataset } from '../../fixtures/index.ts'
import { type ScenarioName, scenarioNames, scenarios } from '../../fixtures/scenarios/index.ts'
import { recipes } from '../../fixtures/scenarios/recipes.ts'
import type { Scenario } from '../../fixtures/scenarios/scenario.ts'
import type { ViewName } from '../../schemas/index.ts'

/** What is in a scenario, as a paragraph, and what permits its rows. */
function paragraphOf(name: ScenarioName): string {
  const { text, ids, times = {} }: Scenario = scenarios[name]
  const { permitted = {} } = recipes[name]
  const dataset = createDataset({ scenario: name })
  const count = (view: ViewName) => [...dataset.rows(view)].length
  const points = `${count('v_timeseries_data').toLocaleString('en')} points`
  const others = Object.keys({ ...ids, ...times }).filter((key) => !(key in permitted))
  const named = others.map((key) => `\`${key}\``).join(', ')
  const facts = [...(count('v_timeseries_data') > 0 ? [points] : []), ...(named === '' ? [] : [named])]
  const list = Object.entries(permitted).map(([key, why]) => `\n- \`${key}\`: ${why}`)
  return `**${name}**${facts.length > 0 ? ` (${facts.join('; ')})` : ''}: ${text}${list.length > 0 ? `\n${list.join('')}` : ''}`
}

/** A page with what is in each scenario between two comments. */
export const withScenarios = (page: string): string =>
  page.replace(
    /(?<=<!-- scenarios -->\n)[^]*?(?=<!-- end of scenarios -->)/,
    `\n${scenarioNames.map(paragraphOf).join('\n\n')}\n\n`,
  )

import { contract } from '../../schemas/contract.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { views } from '../../schemas/views.ts'
import { hashOf } from '../service/route.ts'

/** Column and row of each view, so that few lines cross. */
const places: Readonly<Record<ViewName, readonly [column: number, row: number]>> = {
  v_experiments: [1, 0],
  v_archived_records: [2, 0],
  v_quantities: [0, 1],
  v_bioprocesses: [1, 1],
  v_formulas: [2, 1],
  v_timeseries: [0, 2],
  v_bioprocess_quantity_data: [1, 2],
  v_formula_results: [2, 2],
  v_timeseries_data: [0, 3],
}
/** The relation that the contract describes at its column is dashed. */
const relations = [...contract.relations, contract.parent]
const box = { width: 208, height: 50, right: 244, down: 118 }
const viewBox = `-20 0 792 ${60 + box.down * Math.max(...Object.values(places).map(([, row]) => row))}`
const corner = (name: ViewName) => {
  const [column, row] = places[name]
  return { x: 4 + column * box.right, y: 4 + row * box.down }
}

/** The views and their references as a drawing; each view is a link to its columns. */
export function Diagram({ chosen }: { chosen: string }) {
  return (
    <div class="scroll">
      <svg class="diagram" viewBox={viewBox} role="group" aria-label="Views and their references">
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {relations.map(({ from, to }) => (
          <Relation key={from} from={from} to={to} chosen={chosen} />
        ))}
        {views.map(({ name, columns }) => {
          const { x, y } = corner(name)
          return (
            <a
              key={name}
              href={hashOf('contract', { part: 'views', view: name })}
              aria-current={name === chosen ? 'true' : undefined}
            >
              <rect x={x} y={y} width={box.width} height={box.height} rx="7" />
              <text x={x + 12} y={y + 21} class="name">
                {name}
              </text>
              <text x={x + 12} y={y + 38} class="about">
                {columns.length} columns
              </text>
            </a>
          )
        })}
      </svg>
    </div>
  )
}

function Relation({ from, to, chosen }: { from: string; to: string; chosen: string }) {
  const [[child, column], [parent]] = [from.split('.'), to.split('.')] as [[ViewName, string], [ViewName]]
  const [start, end] = [corner(child), corner(parent)]
  const siblings = relations.filter((other) => other.from.startsWith(`${child}.`))
  const place = siblings.findIndex((other) => other.from === from)
  const x1 = start.x + (box.width * (place + 1)) / (siblings.length + 1)
  const x2 =
    end.x +
    box.width / 2 +
    (start.x === end.x ? x1 - start.x - box.width / 2 : Math.sign(start.x - end.x) * 56)
  const [y1, y2] = [start.y, end.y + box.height]
  const bend = (y1 - y2) / 2
  const isChosen = child === chosen || parent === chosen
  // beside the box's middle, so that no line crosses a name
  const isLeft = siblings.length > 1 && place === 0
  return (
    <g class={isChosen ? 'relation chosen' : 'relation'}>
      <path
        stroke-dasharray={from === contract.parent.from ? '4 3' : undefined}
        d={`M${x1} ${y1}C${x1} ${y1 - bend} ${x2} ${y2 + bend} ${x2} ${y2 + 3}`}
        marker-end="url(#arrow)"
      />
      <text x={isLeft ? x1 - 5 : x1 + 5} y={y1 - 7} text-anchor={isLeft ? 'end' : 'start'}>
        {column}
      </text>
    </g>
  )
}

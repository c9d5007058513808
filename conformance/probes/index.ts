import type { Probe } from '../open-points/probe.ts'
import { authProbes } from './auth.ts'
import { bioprocessProbes } from './bioprocesses.ts'
import { deltaProbes } from './delta.ts'
import { formulaProbes } from './formulas.ts'
import { messageProbes } from './messages.ts'
import { quantityProbes } from './quantities.ts'
import { rowProbes } from './rows.ts'
import { sqlProbes } from './sql.ts'
import { statisticsProbes } from './statistics.ts'
import { statusProbes } from './statuses.ts'
import { timeProbes } from './time.ts'
import { valueProbes } from './values.ts'

/** A probe for every silence of the contract that can be looked into politely; `withoutProbe` has the others. */
export const probes: readonly Probe[] = [
  ...bioprocessProbes,
  ...quantityProbes,
  ...formulaProbes,
  ...statisticsProbes,
  ...valueProbes,
  ...rowProbes,
  ...statusProbes,
  ...messageProbes,
  ...sqlProbes,
  ...deltaProbes,
  ...authProbes,
  ...timeProbes,
]

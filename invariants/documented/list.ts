import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'
import { eachRow, inTurn, type Invariant } from '../invariant.ts'
import { columnProblems, cursorProblems } from './columns.ts'
import { volumeProblems } from './events.ts'
import { pointStatistics } from './points.ts'
import { parentsApart, relations } from './relations.ts'
import { satisfies } from './judging.ts'
import { rowRules } from './row-rules.ts'

const all = views.map(({ name }) => name)

const numberOf = ({ id }: Invariant): number => Number(id.slice(1))

/**
 * The rules that follow from the contract, in the order of their numbers. The numbers D29, D30 and D33 are not used: what they
 * were, the types of single columns, is part of D6.
 */
export const documented: readonly Invariant[] = [
  inTurn('D1', 'Each view has its documented columns and no others', all, columnProblems),
  satisfies('D2', 'Unique identifiers occur once', rowRules.uniqueIds),
  satisfies('D3', 'v_bioprocesses.data is an empty array', rowRules.emptyData),
  satisfies('D4', 'v_bioprocesses.status is a documented value', rowRules.status),
  satisfies('D5', 'qc has the keys status and failure_mode', rowRules.qcStatus, rowRules.qcFailureMode),
  satisfies('D6', 'Values have the documented types, and are null only where documented', rowRules.types),
  satisfies('D7', 'Timestamps are in ISO 8601', rowRules.iso8601, rowRules.separator),
  satisfies('D8', 'Timestamps documented with a timezone have one', rowRules.zone),
  ...relations,
  satisfies('D16', 'statistics has its eight keys', rowRules.statistics),
  ...pointStatistics,
  satisfies('D24', 'A bioprocess has at most one scalar for each quantity', rowRules.uniqueScalars),
  satisfies('D25', 'The unit of a scalar is a string', rowRules.unit),
  satisfies('D26', 'Events of a documented kind have its keys and types', rowRules.namedEvents),
  eachRow('D27', 'The volume of an event is a unit and a value', ['v_bioprocesses'], volumeProblems),
  satisfies('D28', 'Formula series are arrays of numbers', rowRules.series),
  eachRow('D31', 'Rows have last_updated_at', contract.delta.views, cursorProblems),
  parentsApart,
  satisfies(
    'D34',
    'Events that look like a documented kind have its keys and types',
    rowRules.apparentEvents,
  ),
  satisfies('D35', 'Statistics do not contradict each other', rowRules.consistentStatistics),
  satisfies('D36', 'Formula series have as many times as values', rowRules.seriesLengths),
  satisfies('D37', 'The statistics of a formula result are those of its series', rowRules.seriesStatistics),
  satisfies('D38', 'A formula result is either a value or a series', rowRules.oneForm),
].toSorted((one, other) => numberOf(one) - numberOf(other))

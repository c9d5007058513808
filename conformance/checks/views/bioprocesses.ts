import { countUnnamed, rowRules } from '../../../invariants/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

export const bioprocessChecks: Check[] = [
  rowCheck({
    id: 'bioprocesses.status',
    rule: rowRules.status,
    title: 'have one of the documented states in status',
    pass: 'every status is documented',
    killedBy: ['status-other'],
  }),
  rowCheck({
    id: 'bioprocesses.data-empty',
    rule: rowRules.emptyData,
    title: 'leave v_bioprocesses.data an empty array',
    pass: 'data is empty',
    killedBy: ['bioprocess-data-filled'],
  }),
  rowCheck({
    id: 'bioprocesses.qc-status',
    rule: rowRules.qcStatus,
    title: 'have the key status in qc',
    pass: 'qc has the key status',
    killedBy: ['qc-without-status'],
  }),
  rowCheck({
    id: 'bioprocesses.qc-failure-mode',
    rule: rowRules.qcFailureMode,
    title: 'have the key failure_mode in qc',
    pass: 'qc has the key failure_mode',
    killedBy: ['qc-without-failure-mode'],
  }),
  rowCheck({
    id: 'bioprocesses.events',
    rule: rowRules.namedEvents,
    title: 'give event records the keys of the kind they name',
    pass: 'each event record has the keys and types of the kind it names',
    killedBy: ['event-without-its-key', 'event-volume-number', 'event-not-a-record'],
    note: { count: countUnnamed, text: 'event records name no documented kind; they were not judged' },
  }),
  rowCheck({
    id: 'bioprocesses.apparent-events',
    rule: rowRules.apparentEvents,
    title: 'give records that look like a documented kind all of its keys',
    pass: 'each event record that looks like a documented kind names it or has its keys',
    killedBy: ['event-unnamed-without-key'],
  }),
]

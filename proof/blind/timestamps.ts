import { type Mutant } from '../mutant.ts'
import { every, filtered, isTime, joined, named, onCells, onValues } from './helpers.ts'

const PLAN = ['scheduled_start_timestamp', 'scheduled_end_timestamp']
const ZONE = /(Z|[+-]\d\d(:?\d\d)?)$/
const unzoned = (value: unknown) => (isTime(value) ? value.replace(ZONE, '') : value)
const asDate = (value: unknown) => new Date(String(value))
const time = (rewrite: (text: string) => unknown) => (value: unknown) =>
  isTime(value) ? rewrite(value) : value

export const timestampMutants: readonly Mutant[] = [
  {
    id: 'blind-time-zone-twice',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'A Z is appended to timestamps that already end with an offset.',
    wrap: onCells(
      'v_formulas',
      'last_updated_at',
      time((text) => `${text}Z`),
    ),
  },
  {
    id: 'blind-time-zone-name',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Timestamps of a join end with the name of the zone in brackets: +00:00[UTC].',
    wrap: onValues(
      time((text) => `${text}[UTC]`),
      joined,
    ),
  },
  {
    id: 'blind-time-mail-format',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'archived_at is written as in an HTTP header: Thu, 07 Aug 2025 16:32:05 GMT.',
    wrap: onCells('v_archived_records', 'archived_at', (value) => asDate(value).toUTCString()),
  },
  {
    id: 'blind-time-us-format',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Points have their time in American form, month/day/year.',
    wrap: onCells(
      'v_timeseries_data',
      'timestamp',
      time((text) => text.replace(/^(\d{4})-(\d\d)-(\d\d)T(.{8}).*/, '$2/$3/$1 $4')),
    ),
  },
  {
    id: 'blind-time-zero-date',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'A run without a schedule has the zero date 0000-00-00T00:00:00 instead of null.',
    wrap: onCells('v_bioprocesses', PLAN, (value) => value ?? '0000-00-00T00:00:00+00:00'),
  },
  {
    id: 'blind-time-empty-text',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'A run that has not started has the empty string as run_start_timestamp.',
    wrap: onCells('v_bioprocesses', ['run_start_timestamp', 'run_end_timestamp'], (value) => value ?? ''),
  },
  {
    id: 'blind-time-infinity',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'An experiment without an end has the text "infinity" as its scheduled end.',
    wrap: onCells('v_experiments', 'scheduled_end_timestamp', (value) => value ?? 'infinity'),
  },
  {
    id: 'blind-time-twelve-hours',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'In a delta of scalar values, update times after noon are written with PM.',
    wrap: onCells(
      'v_bioprocess_quantity_data',
      'last_updated_at',
      time((text) =>
        text.replace(/T(\d\d)(.{6})\S*$/, (whole, hour: string, rest: string) =>
          Number(hour) > 12 ? `T${String(Number(hour) - 12).padStart(2, '0')}${rest} PM` : whole,
        ),
      ),
      filtered,
    ),
  },
  {
    id: 'blind-time-unpadded',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Month, day and hour of timeseries_start_timestamp have no leading zero.',
    wrap: onCells(
      'v_formula_results',
      'timeseries_start_timestamp',
      time((text) => text.replace(/([-T])0(?=\d[-T:])/g, '$1')),
    ),
  },
  {
    id: 'blind-time-month-from-zero',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Months are counted from zero, so a scheduled start in January has the month 00.',
    wrap: onCells(
      'v_experiments',
      PLAN,
      time((text) =>
        text.replace(/-(\d\d)-/, (_, month: string) => `-${String(Number(month) - 1).padStart(2, '0')}-`),
      ),
    ),
  },
  {
    id: 'blind-time-day-month-swapped-late',
    breaks: 'REQ-VIEW-TS-1',
    defect:
      'From the 201st row on, day and month of end_timestamp are exchanged, also where the month is then 31.',
    wrap: onCells('v_timeseries', 'end_timestamp', (value, { index }) =>
      index < 200 ? value : String(value).replace(/-(\d\d)-(\d\d)T/, '-$2-$1T'),
    ),
  },
  {
    id: 'blind-time-dotnet',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'In a SELECT of named columns last_updated_at of a run is /Date(milliseconds)/.',
    wrap: onCells(
      'v_bioprocesses',
      'last_updated_at',
      (value) => `/Date(${asDate(value).getTime()})/`,
      named,
    ),
  },
  {
    id: 'blind-time-sixty-seconds',
    breaks: 'REQ-VIEW-TS-1',
    defect:
      'Seconds are rounded up without a carry, to 61 in the worst case, and printed with the minute before.',
    wrap: onCells(
      'v_quantities',
      'last_updated_at',
      time((text) => text.replace(/:(\d\d)\.\d+/, ':61')),
    ),
  },
  {
    id: 'blind-series-end-without-zone',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'end_timestamp of a series has no timezone.',
    wrap: onCells('v_timeseries', 'end_timestamp', unzoned),
  },
  {
    id: 'blind-start-without-zone-on-the-minute',
    breaks: 'REQ-VIEW-TS-2',
    defect:
      'A start of a run without a fraction of a second is written by another formatter, without a timezone.',
    wrap: onCells('v_bioprocesses', 'start_timestamp', (value) =>
      /\.000000/.test(String(value)) ? unzoned(value) : value,
    ),
  },
  {
    id: 'blind-scalar-update-without-zone-late',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'From the 201st row on, last_updated_at of scalar values has no timezone.',
    wrap: onCells('v_bioprocess_quantity_data', 'last_updated_at', (value, { index }) =>
      index < 200 ? value : unzoned(value),
    ),
  },
  {
    id: 'blind-named-times-without-zone',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'A SELECT of named columns of a run casts its timestamps to a type without timezone.',
    wrap: onCells('v_bioprocesses', ['start_timestamp', 'end_timestamp'], unzoned, named),
  },
  {
    id: 'blind-joined-times-without-zone',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'A join loses the timezone of start_timestamp and end_timestamp.',
    wrap: onValues((value, key) => (/^(start|end)_timestamp$/.test(key) ? unzoned(value) : value), joined),
  },
  {
    id: 'blind-series-start-without-zone-sometimes',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'One of four servers has no zone setting and omits the timezone of start_timestamp of series.',
    wrap: every(4, onCells('v_timeseries', 'start_timestamp', unzoned)),
  },
]

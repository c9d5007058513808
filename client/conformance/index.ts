export { deployProblems, type ObservedService } from './deploy.ts'
export { habits } from './habits/habit.ts'
export { type HabitOptions, type HabitProgress, runHabits } from './habits/run.ts'
export { selectHabits } from './habits/select-habits.ts'
export { inThisProcess } from './habits/test-runner.ts'
export type {
  Failure,
  Habit,
  HabitOutcome,
  HabitReport,
  HabitResult,
  HabitStanding,
  HabitTarget,
  HabitVerdict,
  RequestSummary,
  RunTests,
} from './habits/types.ts'
export { HabitUsageError } from './habits/usage-error.ts'
export type { Ending, Exchange, RecordedAnswer, RecordedBody } from './rules/exchange.ts'
export type { ClientFinding, ClientOutcome } from './rules/finding.ts'
export { type ClientJudge, createClientJudge, judgeClient, type JudgeOptions } from './rules/judge.ts'
export { habitFormats, terminalReport as habitTerminalReport } from './reports/formats.ts'

import type { Argument, CommandUnknownOpts, Option } from 'commander'
import { program } from '../../cli/program.ts'
import { kindOf } from '../../cli/options/kind.ts'
import { variableOf } from '../../cli/options/config.ts'
import { line, value } from './line.ts'

/** The commands with their arguments, flags, defaults and choices, and the variables that set flags. */
export const cliLines = async (): Promise<string[]> => ofCommand(await program(), ['cli'])

function ofCommand(command: CommandUnknownOpts, path: readonly string[]): string[] {
  const readsEnvironment = command.options.some(({ long }) => long === '--config')
  return [
    ...(path.length > 1 ? [line(path)] : []),
    ...command.aliases().map((alias) => line(path, `alias ${alias}`)),
    ...command.registeredArguments.flatMap((argument, index) => ofArgument(argument, path, index)),
    ...command.options.flatMap((option) => ofOption(option, path)),
    ...(readsEnvironment ? command.options : []).flatMap((option) => {
      const variable = variableOf(option)
      return variable === undefined
        ? []
        : [line(['env', variable], `sets ${option.long} of ${command.name()}`)]
    }),
    ...command.commands.flatMap((child) => ofCommand(child, [...path, child.name()])),
  ]
}

/** An argument is known by its place, since users do not write its name, and a choice is a word of the command: `contract ddl`. */
function ofArgument(argument: Argument, path: readonly string[], index: number): string[] {
  const { required, variadic, defaultValue, argChoices } = argument
  const facts = [
    required ? 'required' : 'optional',
    ...(variadic ? ['variadic'] : []),
    ...(defaultValue === undefined ? [] : [`default ${value(defaultValue)}`]),
  ]
  return [
    ...facts.map((fact) => line([...path, `<argument ${index + 1}>`], fact)),
    ...(argChoices ?? []).map((choice) => line([...path, choice])),
  ]
}

function ofOption(option: Option, path: readonly string[]): string[] {
  const { long, short, flags, defaultValue, presetArg, argChoices, mandatory, hidden } = option
  const { conflictsWith } = option as unknown as { readonly conflictsWith: readonly string[] }
  const placeholder = /[<[].*$/.exec(flags)?.[0]
  const facts = [
    placeholder ?? 'no value',
    ...(long && short ? [`short ${short}`] : []),
    ...(defaultValue === undefined ? [] : [`default ${value(defaultValue)}`]),
    ...(presetArg === undefined ? [] : [`without a value ${value(presetArg)}`]),
    ...(argChoices ?? []),
    ...(kindOf(option).isRepeatable || option.variadic ? ['repeatable'] : []),
    ...(mandatory ? ['required'] : []),
    ...(hidden ? ['hidden'] : []),
    ...conflictsWith.map((other) => `excludes ${other}`),
  ]
  return facts.map((fact) => line([...path, long ?? short ?? flags], fact))
}

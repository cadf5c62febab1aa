/** The texts of `fusescope help` and `fusescope help COMMAND`. */
import { COMMANDS, type OptionSpec } from './commands'

const EXIT_STATUS = [
  'Exit status: 0 done; 1 an expectation was not met or a test failed; 2 bad input (one line on stderr says where and what);',
  '  3 user code was stopped: it took too long, crashed Python or used up the memory; 4 an error in Fusescope.',
].join('\n')

/** All commands, with their usage lines. */
export function overview(): string {
  const commands = Object.values(COMMANDS).flatMap(({ summary, usage }) => [
    ...usage.map((line) => `  fusescope ${line}`),
    `      ${summary}`,
    '',
  ])
  return [
    'fusescope: shows which torch.fx graph patterns match a graph, and why the others do not',
    '',
    '  fusescope [FILE…]',
    '      Open the page in the browser, with these graphs and Python files in it.',
    '',
    ...commands,
    '  fusescope help COMMAND',
    '      the options of a command',
    '',
    EXIT_STATUS,
    '',
  ].join('\n')
}

/** @param name of a command in COMMANDS */
export function commandHelp(name: string): string {
  const { summary, usage, details, options } = COMMANDS[name]!
  const labels = Object.entries(options).map(([option, spec]) => optionLabel(option, spec))
  const width = Math.max(...labels.map((l) => l.length))
  return [
    `fusescope ${name}: ${summary}`,
    '',
    ...usage.map((line) => `  fusescope ${line}`),
    ...details.map((line) => `  ${line}`),
    '',
    'Options:',
    ...Object.values(options).map(({ help }, i) => `  ${labels[i]!.padEnd(width)}  ${help}`),
    '',
    EXIT_STATUS,
    '',
  ].join('\n')
}

const optionLabel = (name: string, { kind, value }: OptionSpec): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}${kind === 'many' ? '…' : ''}`

/**
 * Parses the command line into a command, or into a one-sentence error message.
 * Reason for length: one function for each command.
 */
import { parseArgs as tokenize } from 'node:util'
import { EXPORT_KINDS, type ExportKind } from '../engine/export/types'
import { err, ok, type Result } from '../base/result'
import { readEnvironment, REGISTRATION_CALL } from '../workspace'
import type { Environment } from '../workspace/types'
import { ALL_CALLS } from './calls'
import { COMMANDS, COMMAND_NAMES, type OptionSpec } from './commands'
import { readConfig } from './config'
import { firstGiven, one, type Flags } from './flags'
import { readShard, type BatchOptions } from './threads/shard'
import { baselineArgs, checkArgs, type BaselineCommand, type CheckCommand } from './baseline/baseline_args'
import { tableArgs, type TableCommand } from './table/table_args'
import { patternArgs, type PatternCommand } from './selection/pattern_args'

/** `timeoutS`: in seconds, of the process or of each task. */
export type Command = CommandKind & BatchOptions

type CommandKind =
  /** `command`: print help for this command. */
  | { kind: 'help'; command?: string }
  | { kind: 'version' }
  /** `numbers`: compare the values of each match. */
  | ({ kind: 'match'; expect: number | null; numbers: boolean } & OneGraph)
  | ({ kind: 'matrix'; graphs: string[] } & Omit<OneGraph, 'graph'>)
  | TableCommand
  | BaselineCommand
  | CheckCommand
  | { kind: 'cases'; file: string; json: boolean }
  /** `sniffed`: given as --graph without patterns. `run` null: all. */
  | { kind: 'capture'; file: string; sniffed: boolean; run: number | null; json: boolean }
  | { kind: 'capture-script' }
  /** `sniffed`, `run`: as of `capture`, but null is the only graph. */
  | ({ kind: 'explain-capture'; file: string; sniffed: boolean; run: number | null; fixes: boolean } & ExplainOptions)
  /** `fixes`: search for fixes. */
  | ({ kind: 'explain'; fixes: boolean } & ExplainOptions & OneGraph)
  | ({ kind: 'explain-pattern' } & OneGraph)
  | { kind: 'explain-cases'; file: string; json: boolean; fixes: boolean }
  | ({ kind: 'passes' } & OneGraph)
  | { kind: 'passes-of'; workspace: string; json: boolean }
  | ({ kind: 'test' } & OneGraph)
  | PatternCommand
  /** `patterns` may be empty: they only declare operators. */
  | { kind: 'lower'; graph: string; readable: string | null; patterns: string[] }
  /** `of`: the expression of what is traced; null: the first model of the source. */
  | { kind: 'trace'; source: string; of: string | null }
  | { kind: 'outline'; graph: string; readable: string | null; json: boolean }
  /** Without patterns, only the graphs are compared; two captures have patterns of their own. `run`: of both captures. */
  | ({ kind: 'compare'; old: string; new: string; run: number | null } & Pick<OneGraph, 'patterns' | 'passes' | 'json'>)
  /** `run`: of a capture; null: its only one. */
  | { kind: 'export'; workspace: string; as: ExportKind; run: number | null }
  /** One of `graph` and `link` is given. `run`: of a capture; null: its only one. */
  | { kind: 'print'; graph: string | null; link: string | null; as: 'fx' | 'readable'; run: number | null }
  | ({ kind: 'link'; comments: Comments } & OneGraph)
  | { kind: 'link-of'; workspace: string; run: number | null; comments: Comments }

/** `only`: as isOnly; null: every pattern. `all`: more than one screen. */
export interface ExplainOptions {
  only: string | null
  all: boolean
  json: boolean
}

/** What becomes of source comments; `auto`: they are left out if only that keeps a link short. */
export type Comments = 'auto' | 'keep' | 'drop'

/** The inputs of a command over one graph. */
export interface OneGraph {
  graph: string
  readable: string | null
  /** A JSON file of shapes by node name. */
  shapes: string | null
  patterns: string[]
  /** Names of the stages to apply, in order; empty: every defined one. */
  passes: string[]
  /** Registration functions to call, `MODULE.FUNCTION`; `all`: those that no file calls. */
  calls: string[]
  /** `--config` and `--env`; absent: the default. */
  environment?: Environment
  json: boolean
}

/**
 * @param argv the arguments after the program's name
 * @param isGraph true for a `.py` file that holds a printed graph, as PyTorch and vLLM name their dumps
 */
export function parseArgs(
  argv: readonly string[],
  isGraph: (file: string) => boolean = () => false,
): Result<Command, string> {
  const [name, ...rest] = argv
  if (name === '--version' || name === '-v') return ok({ kind: 'version' })
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  if (name === undefined || name === 'help' || wantsHelp) return helpCommand(name === 'help' ? rest[0] : name)
  const spec = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!spec) return err(unknownCommand(name))
  const flags = readFlags(name, spec.options, rest, isGraph)
  if (!flags.ok) return flags
  const command = BUILD[name]!(flags.value)
  if (!command.ok) return command
  const batch = batchOptions(name, command.value.kind, flags.value)
  return batch.ok ? ok({ ...command.value, ...batch.value }) : batch
}

/** Commands that answer many tasks. */
const BATCHES: ReadonlySet<Command['kind']> = new Set(['cases', 'explain-cases', 'pattern-cases', 'table'])

function batchOptions(name: string, kind: Command['kind'], flags: Flags): Result<BatchOptions, string> {
  const [timeout, shard, resume] = [one(flags, 'timeout'), one(flags, 'shard'), one(flags, 'resume')]
  const extra = BATCHES.has(kind) ? undefined : firstGiven(flags, ['shard', 'resume'])
  if (extra) return err(`${name}: --${extra} goes with --cases`)
  if (timeout !== null && !/^\d{1,6}(?:\.\d{1,3})?$/.test(timeout))
    return err(`${name}: --timeout needs seconds, or 0 for no limit, found ${JSON.stringify(timeout)}`)
  const part = shard === null ? ok(undefined) : readShard(shard)
  if (!part.ok) return err(`${name}: --shard ${part.error}`)
  return ok({
    ...(timeout !== null && { timeoutS: Number(timeout) }),
    ...(part.value && { shard: part.value }),
    ...(resume !== null && { resume }),
  })
}

const unknownCommand = (name: string): string =>
  `unknown command ${JSON.stringify(name)}; expected ${COMMAND_NAMES.slice(0, -1).join(', ')} or ${COMMAND_NAMES.at(-1)}`

function helpCommand(name: string | undefined): Result<Command, string> {
  if (name === undefined || name.startsWith('-')) return ok({ kind: 'help' })
  return Object.hasOwn(COMMANDS, name) ? ok({ kind: 'help', command: name }) : err(unknownCommand(name))
}

/** Node's parser splits the arguments; the number of values per option is checked here, for more specific messages. */
function readFlags(
  command: string,
  specs: Readonly<Record<string, OptionSpec>>,
  args: readonly string[],
  isGraph: (file: string) => boolean,
): Result<Flags, string> {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = tokenize({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string[]>()
  let open: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional' && open !== null) {
      if (token.value === '') return err(`${command}: --${open} needs a value`)
      flags.get(open)!.push(token.value)
      continue
    }
    if (token.kind === 'positional') {
      const plain = optionOfFile(specs, flags, token.value, isGraph)
      if (plain) flags.set(plain, [...(flags.get(plain) ?? []), token.value])
      if (plain) continue
    }
    const spec = token.kind === 'option' ? specs[token.name] : undefined
    if (token.kind !== 'option' || !spec || !token.rawName.startsWith('--'))
      return err(
        `${command}: unexpected ${JSON.stringify(args[token.index])}; expected ${Object.keys(specs)
          .map((name) => `--${name}`)
          .join(', ')}`,
      )
    const { name, value } = token
    if (flags.has(name) && spec.kind !== 'many') return err(`${command}: --${name} is given twice`)
    if (spec.kind === 'flag' && value !== undefined) return err(`${command}: --${name} takes no value`)
    if (spec.kind !== 'flag' && (!value || (!token.inlineValue && value.startsWith('--'))))
      return err(`${command}: --${name} needs a value`)
    flags.set(name, [...(flags.get(name) ?? []), ...(value === undefined ? [] : [value])])
    open = spec.kind === 'many' && !token.inlineValue ? name : null
  }
  return ok(flags)
}

/** The option that a plain argument is for, as in `match graph.txt passes.py`; null: none. */
function optionOfFile(
  specs: Readonly<Record<string, OptionSpec>>,
  flags: Flags,
  file: string,
  isGraph: (file: string) => boolean,
): string | null {
  if (specs.graph?.kind !== 'one' || file === '') return null
  if (specs.pattern?.kind !== 'many') return flags.has('graph') ? null : 'graph'
  return flags.has('graph') || (/\.py$/i.test(file) && !isGraph(file)) ? 'pattern' : 'graph'
}

const BUILD: Readonly<Record<string, (flags: Flags) => Result<Command, string>>> = {
  match: matchCommand,
  table: (flags) => tableArgs(flags, callsIn('table', flags), environmentIn('table', flags)),
  baseline: (flags) => baselineArgs(flags, callsIn('baseline', flags)),
  check: (flags) => checkArgs(flags, callsIn('check', flags)),
  explain: explainCommand,
  'explain-pattern': (flags) => withKind('explain-pattern', oneGraph('explain-pattern', flags)),
  passes: passesCommand,
  test: (flags) => withKind('test', oneGraph('test', flags)),
  pattern: patternArgs,
  lower: lowerCommand,
  trace: traceCommand,
  outline: outlineCommand,
  'capture-script': () => ok({ kind: 'capture-script' }),
  compare: compareCommand,
  export: exportCommand,
  print: printCommand,
  link: linkCommand,
}

function withKind<K extends 'passes' | 'test' | 'explain-pattern'>(kind: K, inputs: Result<OneGraph, string>) {
  return inputs.ok ? ok({ kind, ...inputs.value }) : inputs
}

function oneGraph(command: string, flags: Flags, patternsNeeded = true): Result<OneGraph, string> {
  const graph = one(flags, 'graph')
  if (graph === null) return err(`${command}: --graph FILE is missing`)
  const inputs = patternInputs(command, flags, patternsNeeded)
  return inputs.ok ? ok({ graph, ...inputs.value }) : inputs
}

/** The inputs of a command beside its graphs. */
function patternInputs(command: string, flags: Flags, needed = true): Result<Omit<OneGraph, 'graph'>, string> {
  const [patterns, passes] = [[...(flags.get('pattern') ?? [])], [...(flags.get('pass') ?? [])]]
  if (needed && patterns.length === 0) return err(`${command}: --pattern FILE is missing`)
  const [readable, shapes] = [one(flags, 'readable'), one(flags, 'shapes')]
  const calls = callsIn(command, flags)
  if (!calls.ok) return calls
  const environment = environmentIn(command, flags)
  if (!environment.ok) return environment
  return ok({ readable, shapes, patterns, passes, calls: calls.value, ...environment.value, json: flags.has('json') })
}

/** The environment of `--config`, and of `--env` over it. */
function environmentIn(command: string, flags: Flags): Result<Pick<OneGraph, 'environment'>, string> {
  const torch = one(flags, 'torch')
  const given = [...(flags.get('env') ?? []), ...(torch === null ? [] : [`torch=${torch}`])]
  const file = one(flags, 'config')
  if (given.length === 0 && file === null) return ok({})
  const config = file === null ? ok(undefined) : readConfig(file)
  if (!config.ok) return err(`${command}: --config ${config.error}`)
  const environment = readEnvironment(given, config.value)
  return environment.ok
    ? ok({ environment: environment.value })
    : err(`${command}: --${environment.error.startsWith('torch:') ? '' : 'env '}${environment.error}`)
}

/** The registration functions to call. */
function callsIn(command: string, flags: Flags): Result<string[], string> {
  const calls = [...(flags.get('call') ?? [])]
  const bad = calls.find((c) => c !== ALL_CALLS && !REGISTRATION_CALL.test(c))
  return bad === undefined
    ? ok(calls)
    : err(`${command}: --call needs MODULE.FUNCTION or all, found ${JSON.stringify(bad)}`)
}

const ONE_CASE = [
  'graph',
  'graphs',
  'readable',
  'shapes',
  'pattern',
  'call',
  'pass',
  'env',
  'config',
  'expect',
  'numbers',
]

function matchCommand(flags: Flags): Result<Command, string> {
  const json = flags.has('json')
  const cases = one(flags, 'cases')
  if (cases !== null) {
    const extra = firstGiven(flags, ONE_CASE)
    if (extra) return err(`match: --${extra} does not go with --cases: each line of the file is a whole case`)
    return ok({ kind: 'cases', file: cases, json })
  }
  const graphs = flags.get('graphs')
  if (graphs) {
    const extra = firstGiven(flags, ['graph', 'readable', 'shapes', 'expect', 'numbers'])
    if (extra) return err(`match: --${extra} does not go with --graphs`)
    const inputs = patternInputs('match', flags)
    return inputs.ok ? ok({ kind: 'matrix', graphs: [...graphs], ...inputs.value }) : inputs
  }
  const capture = one(flags, 'capture')
  if (capture !== null) {
    const extra = firstGiven(flags, ONE_CASE)
    if (extra) return err(`match: --${extra} does not go with --capture: the file contains graphs and patterns`)
    return captured(capture, false, flags)
  }
  if (flags.has('run')) return err('match: --run goes with --capture')
  const alone = one(flags, 'graph')
  if (alone !== null && [...flags.keys()].every((name) => name === 'graph' || name === 'json'))
    return captured(alone, true, flags)
  const inputs = oneGraph('match', flags)
  if (!inputs.ok) return inputs
  const expected = one(flags, 'expect')
  if (expected !== null && !/^\d{1,9}$/.test(expected))
    return err(`match: --expect needs a count, found ${JSON.stringify(expected)}`)
  const numbers = flags.has('numbers')
  return ok({ kind: 'match', ...inputs.value, expect: expected === null ? null : Number(expected), numbers })
}

function captured(file: string, sniffed: boolean, flags: Flags): Result<Command, string> {
  const run = runOf('match', flags)
  return run.ok ? ok({ kind: 'capture', file, sniffed, run: run.value, json: flags.has('json') }) : run
}

function explainCommand(flags: Flags): Result<Command, string> {
  const fixes = !flags.has('quick')
  const cases = one(flags, 'cases')
  if (cases !== null) {
    const extra = firstGiven(flags, [...ONE_CASE, 'only', 'all'])
    if (extra) return err(`explain: --${extra} does not go with --cases: each line of the file is a whole case`)
    return ok({ kind: 'explain-cases', file: cases, json: flags.has('json'), fixes })
  }
  const options = { only: one(flags, 'only'), all: flags.has('all'), json: flags.has('json') }
  const capture = one(flags, 'capture')
  const extra = capture === null ? null : firstGiven(flags, ONE_CASE)
  if (extra) return err(`explain: --${extra} does not go with --capture: the file contains graphs and patterns`)
  const file = capture ?? (flags.has('pattern') ? null : one(flags, 'graph'))
  if (file !== null) {
    const run = runOf('explain', flags)
    if (!run.ok) return run
    return ok({ kind: 'explain-capture', file, sniffed: capture === null, run: run.value, fixes, ...options })
  }
  if (flags.has('run')) return err('explain: --run goes with --capture')
  const inputs = oneGraph('explain', flags)
  return inputs.ok ? ok({ kind: 'explain', ...inputs.value, fixes, ...options }) : inputs
}

function passesCommand(flags: Flags): Result<Command, string> {
  const workspace = one(flags, 'workspace')
  if (workspace === null) return withKind('passes', oneGraph('passes', flags))
  const extra = firstGiven(flags, ['graph', 'readable', 'shapes', 'pattern', 'call', 'pass', 'env', 'config'])
  if (extra) return err(`passes: --${extra} does not go with --workspace: the file contains it`)
  return ok({ kind: 'passes-of', workspace, json: flags.has('json') })
}

function traceCommand(flags: Flags): Result<Command, string> {
  const source = one(flags, 'source')
  return source === null ? err('trace: --source FILE is missing') : ok({ kind: 'trace', source, of: one(flags, 'of') })
}

function lowerCommand(flags: Flags): Result<Command, string> {
  const graph = one(flags, 'graph')
  if (graph === null) return err('lower: --graph FILE is missing')
  return ok({ kind: 'lower', graph, readable: one(flags, 'readable'), patterns: [...(flags.get('pattern') ?? [])] })
}

function outlineCommand(flags: Flags): Result<Command, string> {
  const graph = one(flags, 'graph')
  if (graph === null) return err('outline: --graph FILE is missing')
  return ok({ kind: 'outline', graph, readable: one(flags, 'readable'), json: flags.has('json') })
}

function compareCommand(flags: Flags): Result<Command, string> {
  const graphs = flags.get('graph') ?? []
  const [old, now] = graphs
  if (graphs.length !== 2 || old === undefined || now === undefined)
    return err(`compare: --graph OLD --graph NEW is needed, found ${graphs.length} of them`)
  const [patterns, passes] = [[...(flags.get('pattern') ?? [])], [...(flags.get('pass') ?? [])]]
  const run = runOf('compare', flags)
  const json = flags.has('json')
  return run.ok ? ok({ kind: 'compare', old, new: now, patterns, passes, run: run.value, json }) : run
}

function exportCommand(flags: Flags): Result<Command, string> {
  const workspace = savedOf('export', flags)
  if (!workspace.ok) return workspace
  const as = EXPORT_KINDS.find((k) => k === (one(flags, 'as') ?? 'script'))
  if (workspace.value === null) return err('export: --workspace FILE or --capture FILE is missing')
  const run = runOf('export', flags)
  if (!run.ok) return run
  if (!as) return err(`export: --as needs ${EXPORT_KINDS.join(', ')}, found ${JSON.stringify(one(flags, 'as'))}`)
  return ok({ kind: 'export', workspace: workspace.value, as, run: run.value })
}

/** `--workspace FILE` or `--capture FILE`: each reads both. */
function savedOf(command: string, flags: Flags): Result<string | null, string> {
  const [workspace, capture] = [one(flags, 'workspace'), one(flags, 'capture')]
  if (workspace !== null && capture !== null) return err(`${command}: --workspace does not go with --capture`)
  return ok(workspace ?? capture)
}

/** `--run N`; null without it. */
function runOf(command: string, flags: Flags): Result<number | null, string> {
  const run = one(flags, 'run')
  if (run === null || /^\d{1,9}$/.test(run)) return ok(run === null ? null : Number(run))
  return err(`${command}: --run needs a number, found ${JSON.stringify(run)}`)
}

function printCommand(flags: Flags): Result<Command, string> {
  const [graph, link, as] = [one(flags, 'graph'), one(flags, 'link'), one(flags, 'as')]
  if (graph === null && link === null) return err('print: --graph FILE or --link LINK is missing')
  if (graph !== null && link !== null) return err('print: --graph does not go with --link')
  if (as !== 'fx' && as !== 'readable')
    return err(`print: --as needs fx or readable${as === null ? '' : `, found ${JSON.stringify(as)}`}`)
  const run = runOf('print', flags)
  return run.ok ? ok({ kind: 'print', graph, link, as, run: run.value }) : run
}

function linkCommand(flags: Flags): Result<Command, string> {
  const comments = one(flags, 'comments') ?? 'auto'
  if (comments !== 'auto' && comments !== 'keep' && comments !== 'drop')
    return err(`link: --comments needs keep or drop, found ${JSON.stringify(comments)}`)
  const workspace = savedOf('link', flags)
  if (!workspace.ok) return workspace
  if (workspace.value === null) {
    const inputs = oneGraph('link', flags, false)
    return inputs.ok ? ok({ kind: 'link', ...inputs.value, comments }) : inputs
  }
  const extra = firstGiven(flags, ['graph', 'readable', 'shapes', 'pattern', 'pass', 'env', 'config'])
  if (extra) return err(`link: --${extra} does not go with --workspace: the file contains it`)
  const run = runOf('link', flags)
  return run.ok ? ok({ kind: 'link-of', workspace: workspace.value, run: run.value, comments }) : run
}

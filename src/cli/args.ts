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
import { Options, refuse, UsageError, type Flags } from './flags'
import { readShard, type BatchOptions } from './threads/shard'
import { baselineArgs, checkArgs, type BaselineCommand, type CheckCommand } from './baseline/baseline_args'
import { tableArgs, type TableCommand } from './table/table_args'
import { patternArgs, type PatternCommand } from './selection/pattern_args'

/** `timeoutS`: in seconds, of the process or of each task. */
export type Command = CommandKind & BatchOptions

type CommandKind =
  /** `command`: the command whose help to print. */
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
  /** `sniffed`, `run`: as for `capture`, but null means the only graph. */
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
  /** `of`: the expression to trace; null: the first model of the source. */
  | { kind: 'trace'; source: string; of: string | null }
  | { kind: 'outline'; graph: string; readable: string | null; json: boolean }
  /** Without patterns, only the graphs are compared; two captures contain their own patterns. `run`: for both captures. */
  | ({ kind: 'compare'; old: string; new: string; run: number | null } & Pick<OneGraph, 'patterns' | 'passes' | 'json'>)
  /** `run`: for a capture; null: its only run. */
  | { kind: 'export'; workspace: string; as: ExportKind; run: number | null }
  /** Either `graph` or `link` is given. `run`: for a capture; null: its only run. */
  | { kind: 'print'; graph: string | null; link: string | null; as: 'fx' | 'readable'; run: number | null }
  | ({ kind: 'link'; comments: Comments } & OneGraph)
  | { kind: 'link-of'; workspace: string; run: number | null; comments: Comments }

/** `only`: see isOnly; null: every pattern. `all`: more than one screen. */
export interface ExplainOptions {
  only: string | null
  all: boolean
  json: boolean
}

/** How to treat source comments; `auto`: they are left out only if that keeps a link short. */
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
  /** From `--config` and `--env`; absent: the default. */
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
  try {
    const options = new Options(readFlags(spec.options, rest, isGraph))
    const command = BUILD[name]!(options)
    return ok({ ...command, ...batchOptions(command.kind, options) })
  } catch (e) {
    if (e instanceof UsageError) return err(`${name}: ${e.message}`)
    throw e
  }
}

/** Commands that run many tasks. */
const BATCHES: ReadonlySet<Command['kind']> = new Set(['cases', 'explain-cases', 'pattern-cases', 'table'])

function batchOptions(kind: Command['kind'], options: Options): BatchOptions {
  const [timeout, shard, resume] = [options.one('timeout'), options.one('shard'), options.one('resume')]
  const extra = BATCHES.has(kind) ? undefined : ['shard', 'resume'].find((n) => options.has(n))
  if (extra) refuse(`--${extra} goes with --cases`)
  if (timeout !== null && !/^\d{1,6}(?:\.\d{1,3})?$/.test(timeout))
    refuse(`--timeout needs seconds, or 0 for no limit, found ${JSON.stringify(timeout)}`)
  return {
    ...(timeout !== null && { timeoutS: Number(timeout) }),
    ...(shard !== null && { shard: readShard(shard) }),
    ...(resume !== null && { resume }),
  }
}

const unknownCommand = (name: string): string =>
  `unknown command ${JSON.stringify(name)}; expected ${COMMAND_NAMES.slice(0, -1).join(', ')} or ${COMMAND_NAMES.at(-1)}`

function helpCommand(name: string | undefined): Result<Command, string> {
  if (name === undefined || name.startsWith('-')) return ok({ kind: 'help' })
  return Object.hasOwn(COMMANDS, name) ? ok({ kind: 'help', command: name }) : err(unknownCommand(name))
}

/** Node's parser splits the arguments; the number of values per option is checked here, for more specific messages. */
function readFlags(
  specs: Readonly<Record<string, OptionSpec>>,
  args: readonly string[],
  isGraph: (file: string) => boolean,
): Flags {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
  )
  const { tokens } = tokenize({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string[]>()
  let open: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional' && open !== null) {
      if (token.value === '') refuse(`--${open} needs a value`)
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
      return refuse(
        `unexpected ${JSON.stringify(args[token.index])}; expected ${Object.keys(specs)
          .map((name) => `--${name}`)
          .join(', ')}`,
      )
    const { name, value } = token
    if (flags.has(name) && spec.kind !== 'many') refuse(`--${name} is given twice`)
    if (spec.kind === 'flag' && value !== undefined) refuse(`--${name} takes no value`)
    if (spec.kind !== 'flag' && (!value || (!token.inlineValue && value.startsWith('--'))))
      refuse(`--${name} needs a value`)
    flags.set(name, [...(flags.get(name) ?? []), ...(value === undefined ? [] : [value])])
    open = spec.kind === 'many' && !token.inlineValue ? name : null
  }
  return flags
}

/** The option that a plain argument stands for, as in `match graph.txt passes.py`; null: none. */
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

const BUILD: Readonly<Record<string, (options: Options) => Command>> = {
  match: matchCommand,
  table: (options) => tableArgs(options, () => ({ calls: callsIn(options), ...environmentIn(options) })),
  baseline: (options) => baselineArgs(options, () => callsIn(options)),
  check: (options) => checkArgs(options, () => callsIn(options)),
  explain: explainCommand,
  'explain-pattern': (options) => ({ kind: 'explain-pattern', ...oneGraph(options) }),
  passes: passesCommand,
  test: (options) => ({ kind: 'test', ...oneGraph(options) }),
  pattern: patternArgs,
  lower: (options) => ({
    kind: 'lower',
    graph: options.needOne('graph'),
    readable: options.one('readable'),
    patterns: options.many('pattern'),
  }),
  trace: (options) => ({ kind: 'trace', source: options.needOne('source'), of: options.one('of') }),
  outline: (options) => ({
    kind: 'outline',
    graph: options.needOne('graph'),
    readable: options.one('readable'),
    json: options.has('json'),
  }),
  'capture-script': () => ({ kind: 'capture-script' }),
  compare: compareCommand,
  export: exportCommand,
  print: printCommand,
  link: linkCommand,
}

const oneGraph = (options: Options, patternsNeeded = true): OneGraph => ({
  graph: options.needOne('graph'),
  ...patternInputs(options, patternsNeeded),
})

/** The inputs of a command besides its graphs. */
const patternInputs = (options: Options, needed = true): Omit<OneGraph, 'graph'> => ({
  patterns: needed ? options.needMany('pattern') : options.many('pattern'),
  passes: options.many('pass'),
  readable: options.one('readable'),
  shapes: options.one('shapes'),
  calls: callsIn(options),
  ...environmentIn(options),
  json: options.has('json'),
})

/** The environment from `--config`, with the changes from `--env`. */
function environmentIn(options: Options): Pick<OneGraph, 'environment'> {
  const torch = options.one('torch')
  const given = [...options.many('env'), ...(torch === null ? [] : [`torch=${torch}`])]
  const file = options.one('config')
  if (given.length === 0 && file === null) return {}
  const config = file === null ? ok(undefined) : readConfig(file)
  if (!config.ok) return refuse(`--config ${config.error}`)
  const environment = readEnvironment(given, config.value)
  if (environment.ok) return { environment: environment.value }
  return refuse(`--${environment.error.startsWith('torch:') ? '' : 'env '}${environment.error}`)
}

/** The registration functions to call. */
function callsIn(options: Options): string[] {
  const calls = options.many('call')
  const bad = calls.find((c) => c !== ALL_CALLS && !REGISTRATION_CALL.test(c))
  return bad === undefined ? calls : refuse(`--call needs MODULE.FUNCTION or all, found ${JSON.stringify(bad)}`)
}

const INPUTS = ['graph', 'readable', 'shapes', 'pattern', 'call', 'pass', 'env', 'config']
const ONE_CASE = ['graph', 'graphs', ...INPUTS.slice(1), 'expect', 'numbers']
const WHOLE_CASE = '--cases: each line of the file is a whole case'
const CAPTURED = '--capture: the file contains graphs and patterns'
const SAVED = '--workspace: the file contains it'

function matchCommand(options: Options): Command {
  const json = options.has('json')
  const cases = options.one('cases')
  if (cases !== null) {
    options.apart(ONE_CASE, WHOLE_CASE)
    return { kind: 'cases', file: cases, json }
  }
  if (options.has('graphs')) {
    options.apart(['graph', 'readable', 'shapes', 'expect', 'numbers'], '--graphs')
    return { kind: 'matrix', graphs: options.many('graphs'), ...patternInputs(options) }
  }
  const capture = options.one('capture')
  if (capture !== null) {
    options.apart(ONE_CASE, CAPTURED)
    return { kind: 'capture', file: capture, sniffed: false, run: runOf(options), json }
  }
  if (options.has('run')) refuse('--run goes with --capture')
  const alone = options.one('graph')
  if (alone !== null && options.names.every((name) => name === 'graph' || name === 'json'))
    return { kind: 'capture', file: alone, sniffed: true, run: runOf(options), json }
  const inputs = oneGraph(options)
  return { kind: 'match', ...inputs, expect: options.number('expect', 'a count'), numbers: options.has('numbers') }
}

function explainCommand(options: Options): Command {
  const fixes = !options.has('quick')
  const json = options.has('json')
  const cases = options.one('cases')
  if (cases !== null) {
    options.apart([...ONE_CASE, 'only', 'all'], WHOLE_CASE)
    return { kind: 'explain-cases', file: cases, json, fixes }
  }
  const shown = { only: options.one('only'), all: options.has('all'), json }
  const capture = options.one('capture')
  if (capture !== null) options.apart(ONE_CASE, CAPTURED)
  const file = capture ?? (options.has('pattern') ? null : options.one('graph'))
  if (file !== null)
    return { kind: 'explain-capture', file, sniffed: capture === null, run: runOf(options), fixes, ...shown }
  if (options.has('run')) refuse('--run goes with --capture')
  return { kind: 'explain', ...oneGraph(options), fixes, ...shown }
}

function passesCommand(options: Options): Command {
  const workspace = options.one('workspace')
  if (workspace === null) return { kind: 'passes', ...oneGraph(options) }
  options.apart(INPUTS, SAVED)
  return { kind: 'passes-of', workspace, json: options.has('json') }
}

function compareCommand(options: Options): Command {
  const graphs = options.many('graph')
  const [old, now] = graphs
  if (graphs.length !== 2 || old === undefined || now === undefined)
    return refuse(`--graph OLD --graph NEW is needed, found ${graphs.length} of them`)
  const [patterns, passes] = [options.many('pattern'), options.many('pass')]
  return { kind: 'compare', old, new: now, patterns, passes, run: runOf(options), json: options.has('json') }
}

function exportCommand(options: Options): Command {
  const workspace = savedOf(options)
  if (workspace === null) return refuse('--workspace FILE or --capture FILE is missing')
  const run = runOf(options)
  const given = options.one('as') ?? 'script'
  const as = EXPORT_KINDS.find((k) => k === given)
  if (!as) return refuse(`--as needs ${EXPORT_KINDS.join(', ')}, found ${JSON.stringify(given)}`)
  return { kind: 'export', workspace, as, run }
}

/** `--workspace FILE` or `--capture FILE`: each accepts both kinds of file. */
function savedOf(options: Options): string | null {
  if (options.has('capture')) options.apart(['workspace'], '--capture')
  return options.one('workspace') ?? options.one('capture')
}

/** The value of `--run N`; null without it. */
const runOf = (options: Options): number | null => options.number('run', 'a number')

function printCommand(options: Options): Command {
  const [graph, link, as] = [options.one('graph'), options.one('link'), options.one('as')]
  if (graph === null && link === null) refuse('--graph FILE or --link LINK is missing')
  if (link !== null) options.apart(['graph'], '--link')
  if (as !== 'fx' && as !== 'readable')
    return refuse(`--as needs fx or readable${as === null ? '' : `, found ${JSON.stringify(as)}`}`)
  return { kind: 'print', graph, link, as, run: runOf(options) }
}

function linkCommand(options: Options): Command {
  const comments = options.one('comments') ?? 'auto'
  if (comments !== 'auto' && comments !== 'keep' && comments !== 'drop')
    return refuse(`--comments needs keep or drop, found ${JSON.stringify(comments)}`)
  const workspace = savedOf(options)
  if (workspace === null) return { kind: 'link', ...oneGraph(options, false), comments }
  options.apart(
    INPUTS.filter((n) => n !== 'call'),
    SAVED,
  )
  return { kind: 'link-of', workspace, run: runOf(options), comments }
}

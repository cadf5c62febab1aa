/** The command line, read into a command or one sentence about what is wrong with it. */
import { err, ok, type Result } from '../base/result'

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | {
      kind: 'match'
      graph: string
      readable: string | null
      patterns: string[]
      /** Variables of the passes to apply; empty: every module-level pass, as defined. */
      passes: string[]
      json: boolean
      expect: number | null
    }
  | { kind: 'matrix'; graphs: string[]; patterns: string[]; passes: string[]; json: boolean }
  | { kind: 'cases'; file: string; json: boolean }
  | {
      kind: 'explain'
      graph: string
      readable: string | null
      patterns: string[]
      passes: string[]
      json: boolean
      /** Whether repairs are tried. */
      fixes: boolean
    }
  | { kind: 'explain-cases'; file: string; json: boolean; fixes: boolean }
  | ({ kind: 'passes' } & OneGraph)
  | { kind: 'passes-of'; workspace: string; json: boolean }
  | ({ kind: 'test' } & OneGraph)
  | { kind: 'print'; graph: string; as: 'fx' | 'readable' }

interface OneGraph {
  graph: string
  readable: string | null
  patterns: string[]
  passes: string[]
  json: boolean
}

export const USAGE = `fusescope: which torch.fx graph patterns match, and why the rest do not

  fusescope match --graph FILE --pattern FILE… [--readable FILE] [--pass NAME…] [--json] [--expect N]
      Runs the pattern files in order, applies their passes to the graph, and tells what fired.
      --readable FILE   the same graph by print_readable: shapes for a graph given as print(graph)
      --pass NAME       apply the pass in this module-level variable; all of them when left out
      --json            the whole outcome as JSON
      --expect N        exit with status 1 unless exactly N matches were replaced

  fusescope match --graphs FILE… --pattern FILE… [--pass NAME…] [--json]
      The same patterns on several graphs: how often each fires on each.

  fusescope match --cases FILE.jsonl --json
      One case a line: {"id", "pattern_py", "graph", "readable"?, "custom_meta"?, "get_attr_values"?, "passes"?}.
      Python starts once; one line of JSON a case.

  fusescope explain --graph FILE --pattern FILE… [--readable FILE] [--pass NAME…] [--json] [--quick]
      Says why the patterns do not fire where they come near, and tries repairs through the matcher.
      --json            {"diagnoses": […], "lints": […]}; the README lists the kinds of cause
      --quick           no repairs

  fusescope explain --cases FILE.jsonl --json [--quick]
      The same for one case a line, with its "id".

  fusescope passes --graph FILE --pattern FILE… [--readable FILE] [--pass NAME…] [--json]
      Lists the passes in the order they are applied: what each did to the graph, why one does nothing, its uuid.
      --workspace FILE  a saved workspace (workspace.json, NAME.fusescope.json), with its environment and its list of passes

  fusescope test --graph FILE --pattern FILE… [--readable FILE] [--json]
      Runs the unit tests in those of the files that are called test_*.py or *_test.py; exits with status 1 when one fails.
      A test's argument \`graph\` is a copy of the graph, to which it can apply a pass.

  fusescope print --graph FILE --as fx|readable
      Reads a graph in any form and prints it as print(graph) or as print_readable.

Exit status: 0 done, 1 an expectation was not met or a test failed, 2 bad input (one line on stderr says where and what).
`

type Flags = Map<string, string[]>

/** Options that take values, and how many. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, 'flag' | 'one' | 'many'>>>> = {
  match: {
    graph: 'one',
    graphs: 'many',
    readable: 'one',
    pattern: 'many',
    pass: 'many',
    json: 'flag',
    expect: 'one',
    cases: 'one',
  },
  explain: { graph: 'one', readable: 'one', pattern: 'many', pass: 'many', json: 'flag', cases: 'one', quick: 'flag' },
  passes: { graph: 'one', readable: 'one', pattern: 'many', pass: 'many', json: 'flag', workspace: 'one' },
  test: { graph: 'one', readable: 'one', pattern: 'many', json: 'flag' },
  print: { graph: 'one', as: 'one' },
}

/** @param argv what follows the program's name */
export function parseArgs(argv: readonly string[]): Result<Command, string> {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || argv.includes('--help') || argv.includes('-h'))
    return ok({ kind: 'help' })
  if (name === '--version' || name === '-v') return ok({ kind: 'version' })
  const shape = SHAPES[name]
  if (!shape) return err(`unknown command ${JSON.stringify(name)}; expected match, explain, passes, test or print`)
  const flags = readFlags(name, shape, rest)
  if (!flags.ok) return flags
  if (name === 'match') return matchCommand(flags.value)
  if (name === 'passes' && flags.value.has('workspace')) return passesOfCommand(flags.value)
  if (name === 'passes' || name === 'test') return oneGraphCommand(name, flags.value)
  return name === 'explain' ? explainCommand(flags.value) : printCommand(flags.value)
}

function readFlags(
  command: string,
  shape: Readonly<Record<string, 'flag' | 'one' | 'many'>>,
  args: readonly string[],
): Result<Flags, string> {
  const flags: Flags = new Map()
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    const [, option, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? []
    const kind = option === undefined ? undefined : shape[option]
    if (option === undefined || kind === undefined)
      return err(`${command}: unexpected ${JSON.stringify(arg)}; expected ${options(shape)}`)
    const before = flags.get(option)
    if (before && kind !== 'many') return err(`${command}: --${option} is given twice`)
    if (kind === 'flag') {
      if (inline !== undefined) return err(`${command}: --${option} takes no value`)
      flags.set(option, [])
      continue
    }
    const values = inline !== undefined ? [inline] : []
    if (inline === undefined)
      do {
        const value = args[i + 1]
        if (value === undefined || value.startsWith('--')) break
        values.push(value)
        i++
      } while (kind === 'many')
    if (values.length === 0 || values.includes('')) return err(`${command}: --${option} needs a value`)
    flags.set(option, [...(before ?? []), ...values])
  }
  return ok(flags)
}

function matchCommand(flags: Flags): Result<Command, string> {
  const one = (name: string) => flags.get(name)?.[0] ?? null
  const json = flags.has('json')
  const cases = one('cases')
  if (cases !== null) {
    const extra = ['graph', 'graphs', 'readable', 'pattern', 'pass', 'expect'].find((name) => flags.has(name))
    if (extra) return err(`match: --${extra} does not go with --cases: each line of the file is a whole case`)
    return ok({ kind: 'cases', file: cases, json })
  }
  const graph = one('graph')
  const graphs = flags.get('graphs')
  const patterns = flags.get('pattern') ?? []
  if (graphs) {
    const extra = ['graph', 'readable', 'expect'].find((name) => flags.has(name))
    if (extra) return err(`match: --${extra} does not go with --graphs`)
    if (patterns.length === 0) return err('match: --pattern FILE is missing')
    return ok({ kind: 'matrix', graphs, patterns, passes: flags.get('pass') ?? [], json })
  }
  if (graph === null) return err('match: --graph FILE is missing')
  if (patterns.length === 0) return err('match: --pattern FILE is missing')
  const expected = one('expect')
  if (expected !== null && !/^\d{1,9}$/.test(expected))
    return err(`match: --expect needs a count, found ${JSON.stringify(expected)}`)
  return ok({
    kind: 'match',
    graph,
    readable: one('readable'),
    patterns,
    passes: flags.get('pass') ?? [],
    json,
    expect: expected === null ? null : Number(expected),
  })
}

function explainCommand(flags: Flags): Result<Command, string> {
  const one = (name: string) => flags.get(name)?.[0] ?? null
  const [json, fixes] = [flags.has('json'), !flags.has('quick')]
  const cases = one('cases')
  if (cases !== null) {
    const extra = ['graph', 'readable', 'pattern', 'pass'].find((name) => flags.has(name))
    if (extra) return err(`explain: --${extra} does not go with --cases: each line of the file is a whole case`)
    return ok({ kind: 'explain-cases', file: cases, json, fixes })
  }
  const graph = one('graph')
  const patterns = flags.get('pattern') ?? []
  if (graph === null) return err('explain: --graph FILE is missing')
  if (patterns.length === 0) return err('explain: --pattern FILE is missing')
  return ok({
    kind: 'explain',
    graph,
    readable: one('readable'),
    patterns,
    passes: flags.get('pass') ?? [],
    json,
    fixes,
  })
}

/** A saved workspace says all the rest itself. */
function passesOfCommand(flags: Flags): Result<Command, string> {
  const extra = ['graph', 'readable', 'pattern', 'pass'].find((name) => flags.has(name))
  if (extra) return err(`passes: --${extra} does not go with --workspace: the file says it`)
  return ok({ kind: 'passes-of', workspace: flags.get('workspace')![0]!, json: flags.has('json') })
}

function oneGraphCommand(kind: 'passes' | 'test', flags: Flags): Result<Command, string> {
  const graph = flags.get('graph')?.[0]
  const patterns = flags.get('pattern') ?? []
  if (graph === undefined) return err(`${kind}: --graph FILE is missing`)
  if (patterns.length === 0) return err(`${kind}: --pattern FILE is missing`)
  const readable = flags.get('readable')?.[0] ?? null
  return ok({ kind, graph, readable, patterns, passes: flags.get('pass') ?? [], json: flags.has('json') })
}

function printCommand(flags: Flags): Result<Command, string> {
  const graph = flags.get('graph')?.[0]
  const as = flags.get('as')?.[0]
  if (graph === undefined) return err('print: --graph FILE is missing')
  if (as !== 'fx' && as !== 'readable')
    return err(`print: --as needs fx or readable${as === undefined ? '' : `, found ${JSON.stringify(as)}`}`)
  return ok({ kind: 'print', graph, as })
}

const options = (shape: object): string =>
  Object.keys(shape)
    .map((name) => `--${name}`)
    .join(', ')

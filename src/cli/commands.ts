/**
 * The commands of the program as data: their usage lines and options. The parser and the help texts both read this
 * table. Reason for length: a table.
 */
import { NEWEST_TORCH, TORCH_VERSIONS } from '../base/torch_version'

/** `many` takes all values up to the next option, and may be repeated. */
export type OptionKind = 'flag' | 'one' | 'many'

export interface OptionSpec {
  kind: OptionKind
  /** Placeholder of the value: `FILE`. */
  value?: string
  /** One line. */
  help: string
}

export interface CommandSpec {
  /** One line. */
  summary: string
  /** Omits the program's name. */
  usage: readonly string[]
  /** Further lines of `fusescope help COMMAND`. */
  details: readonly string[]
  options: Readonly<Record<string, OptionSpec>>
}

const one = (value: string, help: string): OptionSpec => ({ kind: 'one', value, help })
const many = (value: string, help: string): OptionSpec => ({ kind: 'many', value, help })
const flag = (help: string): OptionSpec => ({ kind: 'flag', help })

const GRAPH = one('FILE', 'the graph: a text, a log, a .pt2 or a folder of dumps; FILE@N for the N-th graph in it')
const READABLE = one('FILE', 'the same graph as print_readable: adds shapes to a print(graph)')
const SHAPES = one(
  'FILE.json',
  'shapes of inputs of a print(graph): {"arg0_1": "bf16[48, 256]"}; other shapes are computed',
)
const PATTERN = many('FILE', 'Python files, folders or globs that register patterns; they run in this order')
const CALL = many(
  'NAME',
  'registration functions (MODULE.FUNCTION) to call after the files; all: every one that no file calls',
)
const PASS = many(
  'NAME',
  'stages to apply, in this order: variables of passes, or inductor:NAME; default: every defined pass',
)
const ENV = many(
  'NAME=VALUE',
  'the environment: platform=npu,dtype=bf16,tokens=128,customOps=all,-rms_norm, and flags (docs/environment.md)',
)
const CONFIG = one(
  'FILE.json',
  'a file of the environment, which --env changes: {"platform": …, "flags": {…}, "layers": {NAME: "CLASS(…)"}}',
)
const TORCH = one(
  'VERSION',
  `the PyTorch version that the verdicts follow: ${TORCH_VERSIONS.join(', ')} (docs/versions.md); default: ${NEWEST_TORCH}`,
)
const SAVED = one(
  'FILE',
  'a saved workspace (workspace.json, NAME.fusescope.json), the id of an example, or a capture (NAME.fusescope)',
)
const CAPTURE = one('FILE', 'what fusescope_capture.py recorded in a real run')
const TIMEOUT = one(
  'S',
  'stop user code after this time (60 by default, 0: never), with exit status 3; with --cases: each case',
)
const TASK_TIMEOUT: OptionSpec = {
  ...TIMEOUT,
  help: 'stop user code after this time (60 by default, 0: never) on four graphs of a folder; those four then have no count',
}
const CASES = one(
  'FILE.jsonl',
  'a case per line: {"id", "pattern_py", "graph", "readable"?, "shapes"?, "custom_meta"?, "passes"?, "environment"?, …}',
)

const FOLDERS = many('FOLDER', 'folders of Python files, or single files: each is run on its own')
const GRAPHS = many('FILE', 'graphs, or folders of graphs')
const SHARD = one('K/N', 'only the K-th of N parts, for N machines')
const RESUME = one('FILE', 'keep finished work in this file; a run that finds it there goes on')

/** Options of the commands that run patterns on one graph. */
const INPUT = { readable: READABLE, shapes: SHAPES, pattern: PATTERN, call: CALL }
const UNDER = { env: ENV, config: CONFIG, torch: TORCH }

export const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  match: {
    summary: 'apply the passes of pattern files to a graph and print what fired',
    usage: [
      'match GRAPH PATTERN.py… [OPTION…]',
      'match --graph FILE --pattern FILE… [--readable FILE] [--shapes FILE] [--call NAME…] [--pass NAME…] [--json]',
      'match --graph FILE --pattern FILE… [--config FILE] [--env NAME=VALUE,…] [--torch VERSION] [--expect N] [--numbers]',
      'match --graphs FILE… --pattern FILE… [--call NAME…] [--pass NAME…] [--config FILE] [--env NAME=VALUE,…] [--json]',
      'match --cases FILE.jsonl [--json] [--shard K/N] [--resume FILE] [--timeout S]',
      'match --capture FILE [--run N] [--json]',
    ],
    details: [
      'With --graphs, the same passes run on each graph, and a table shows how often each pattern fires.',
      'With --cases, each case prints one line.',
      'With --capture, PyTorch’s counts are beside Fusescope’s; exit status 1 where they differ.',
      'Where a pass matched nothing there, PyTorch’s reasons follow.',
    ],
    options: {
      graph: GRAPH,
      graphs: many('FILE', 'several graphs'),
      ...INPUT,
      pass: PASS,
      ...UNDER,
      json: flag('print the whole outcome as JSON'),
      expect: one('N', 'exit with status 1 unless exactly N matches were replaced'),
      numbers: flag(
        'run both sides of each match and of code on the graph on the same inputs; exit with status 1 where values differ',
      ),
      cases: CASES,
      shard: SHARD,
      resume: RESUME,
      capture: CAPTURE,
      run: one('N', 'with --capture: only this graph'),
      timeout: TIMEOUT,
    },
  },
  table: {
    summary: 'count the matches of folders of passes on many graphs, and what changed since an earlier table',
    usage: [
      'table --passes FOLDER… --graphs FILE… [--call NAME…] [--json] [--since FILE] [--resume FILE] [--timeout S]',
      'table --passes FOLDER… --graphs FILE… --shard K/N --json [--call NAME…] [--resume FILE] [--timeout S]',
      'table --passes FOLDER… --graphs FILE… [--config FILE] [--env NAME=VALUE,…] [--torch VERSION]',
      'table --merge FILE… [--json] [--since FILE]',
    ],
    details: [
      'A row for each pass, a column for each graph. print(graph) and print_readable of one name are one graph.',
      'With --since, the exit status is 1 if a pass newly fails.',
      'With --shard, each of N machines counts a part of the graphs; --merge makes the table of all parts.',
    ],
    options: {
      passes: FOLDERS,
      graphs: GRAPHS,
      call: CALL,
      ...UNDER,
      json: flag('print {"graphs": […], "rows": […], "notes": […], "changes": […]}'),
      since: one('FILE', 'what table --json printed earlier'),
      shard: SHARD,
      merge: many('FILE', 'what table --shard printed, for each of its parts'),
      resume: RESUME,
      timeout: TASK_TIMEOUT,
    },
  },
  baseline: {
    summary: 'write the matches of each pass on each graph as a text file, which check compares with',
    usage: ['baseline --passes FOLDER… --graphs FILE… [--call NAME…] [--timeout S]'],
    details: ['Keep the file in the repository: a change of it is reviewed like a change of the passes.'],
    options: { passes: FOLDERS, graphs: GRAPHS, call: CALL, timeout: TASK_TIMEOUT },
  },
  check: {
    summary: 'count the matches again, and say which fusions are lost since the baseline, and why',
    usage: [
      'check --baseline FILE --passes FOLDER… --graphs FILE… [--call NAME…] [--junit FILE] [--markdown FILE] [--timeout S]',
    ],
    details: [
      'Exit status 1: a pass matches less often than in the baseline, raises, or is gone, or a graph is missing.',
      'More matches, new passes and new graphs are listed; a new baseline takes them in.',
    ],
    options: {
      baseline: one('FILE', 'what baseline wrote'),
      passes: FOLDERS,
      graphs: GRAPHS,
      call: CALL,
      junit: one('FILE', 'also write the result as JUnit XML'),
      markdown: one('FILE', 'also write the result as Markdown, for a pull request'),
      timeout: TASK_TIMEOUT,
    },
  },
  explain: {
    summary: 'explain why patterns do not fire, and try fixes',
    usage: [
      'explain GRAPH PATTERN.py… [OPTION…]',
      'explain --graph FILE --pattern FILE… [--readable FILE] [--shapes FILE] [--call NAME…] [--pass NAME…] [--json] [--quick]',
      'explain --graph FILE --pattern FILE… [--only CLASS|N|FILE] [--all] [--config FILE] [--env NAME=VALUE,…] [--torch VERSION]',
      'explain --capture FILE [--run N] [--only CLASS|N|FILE] [--all] [--json] [--timeout S]',
      'explain --cases FILE.jsonl [--json] [--quick] [--shard K/N] [--resume FILE] [--timeout S]',
    ],
    details: [
      'The cause that the closest patterns share comes first, with the patterns and places that it stops.',
      'Each fix was applied to a copy of the files and made the pattern fire.',
      'A capture with sources gets lines and fixes too: its files run as in the recorded process.',
    ],
    options: {
      graph: GRAPH,
      ...INPUT,
      pass: PASS,
      ...UNDER,
      json: flag('print {"diagnoses": […], "lints": […]}; docs/causes.md lists the kinds of cause'),
      only: one('CLASS|N|FILE', 'one class of patterns, one pattern by its number, or the patterns of a file'),
      all: flag('print every near miss and its causes; default: one screen'),
      capture: CAPTURE,
      run: one('N', 'which graph of a capture to explain, if it has several'),
      cases: CASES,
      shard: SHARD,
      resume: RESUME,
      quick: flag('do not search for fixes'),
      timeout: TIMEOUT,
    },
  },
  'explain-pattern': {
    summary: 'print each pattern as a tree in words, with the nodes of the graph that pass each expression',
    usage: [
      'explain-pattern --graph FILE --pattern FILE… [--readable FILE] [--shapes FILE] [--call NAME…] [--pass NAME…] [--json]',
      'explain-pattern --graph FILE --pattern FILE… [--config FILE] [--env NAME=VALUE,…] [--torch VERSION] [--timeout S]',
    ],
    details: [
      'Both stages are printed where they differ. An expression that no node passes is named first.',
      'Counts refer to the graph before the pass.',
    ],
    options: {
      graph: GRAPH,
      ...INPUT,
      pass: PASS,
      ...UNDER,
      json: flag('print {"patterns": […]}; docs/expressions.md lists the fields'),
      timeout: TIMEOUT,
    },
  },
  passes: {
    summary: 'list the pipeline: what each stage did to the graph, or why it is off',
    usage: [
      'passes --graph FILE --pattern FILE… [--readable FILE] [--shapes FILE] [--call NAME…] [--pass NAME…] [--json]',
      'passes --graph FILE --pattern FILE… [--config FILE] [--env NAME=VALUE,…] [--torch VERSION] [--timeout S]',
      'passes --workspace FILE [--json] [--timeout S]',
    ],
    details: [],
    options: {
      graph: GRAPH,
      ...INPUT,
      pass: PASS,
      ...UNDER,
      json: flag('print {"uuid": …, "stages": […]}'),
      workspace: one(
        'FILE',
        'a saved workspace (workspace.json, NAME.fusescope.json) or an example’s id, with environment and passes',
      ),
      timeout: TIMEOUT,
    },
  },
  test: {
    summary: 'run the unit tests in pattern files called test_*.py or *_test.py',
    usage: [
      'test --graph FILE --pattern FILE… [--readable FILE] [--shapes FILE] [--call NAME…] [--json] [--timeout S]',
      'test --graph FILE --pattern FILE… [--config FILE] [--env NAME=VALUE,…] [--torch VERSION]',
    ],
    details: ['A test’s argument `graph` is a copy of the graph. Exit status 1 when a test fails.'],
    options: {
      graph: GRAPH,
      ...INPUT,
      ...UNDER,
      json: flag('print {"tests": […]}'),
      timeout: TIMEOUT,
    },
  },
  pattern: {
    summary: 'make a register_replacement from selected nodes of a graph, and run it on the graph',
    usage: [
      'pattern --graph FILE --nodes NAME,… [--name NAME] [--parameter NAME…] [--form FORM] [--readable FILE] [--shapes FILE] [--json]',
      'pattern --cases FILE.jsonl [--name NAME] [--form FORM] [--json] [--shard K/N] [--resume FILE] [--timeout S]',
    ],
    details: [
      'stdout: the Python file. stderr: the places that it matches, the constants that can be parameters, and notes.',
      'Exit status 1, and the reason on stderr, where no pattern can match the nodes.',
      'With --cases, each case prints {"id", "python", "matches", …} or {"id", "refused"}.',
    ],
    options: {
      graph: GRAPH,
      nodes: many('NAME,…', 'names of the selected nodes'),
      name: one('NAME', 'name of the replacement operator; default: made from the operators’ names'),
      parameter: many('NAME', 'constants that become parameters; stderr lists the names'),
      form: one(
        'FORM',
        'traced: a search function; expr: a PatternExpr; default: traced where tracing yields the nodes',
      ),
      readable: READABLE,
      shapes: SHAPES,
      json: flag('print {"name", "python", "form", "matches", "places", …} or {"refused"}'),
      cases: one(
        'FILE.jsonl',
        'a selection per line: {"id", "graph", "nodes", "readable"?, "shapes"?, …}; readable true: graph is a print_readable',
      ),
      shard: SHARD,
      resume: RESUME,
      timeout: TIMEOUT,
    },
  },
  outline: {
    summary: 'list what repeats in a graph: layers, their parts, and the instances that differ',
    usage: ['outline --graph FILE [--readable FILE] [--json]'],
    details: [
      'Found from structure: the same operators, constants, dtypes and shapes, connected alike. Names do not matter.',
    ],
    options: {
      graph: GRAPH,
      readable: READABLE,
      json: flag('print {"groups": [{"times", "nodes", "first", "instances", "differs", …}]}'),
    },
  },
  lower: {
    summary: 'trace a graph as fwd_only traces a function, and print the result',
    usage: ['lower --graph FILE [--readable FILE] [--pattern FILE…] [--timeout S]'],
    details: [
      'Dynamo’s functions and methods, and operators that Inductor decomposes, become the operators that traced patterns hold.',
    ],
    options: {
      graph: GRAPH,
      readable: READABLE,
      pattern: { ...PATTERN, help: 'Python files that declare the graph’s custom operators' },
      timeout: TIMEOUT,
    },
  },
  trace: {
    summary: 'run a model’s source, and print the graph that torch.fx.symbolic_trace makes of it',
    usage: ['trace --source FILE [--of MODEL] [--timeout S]'],
    details: [
      'FILE is Python, or a text that contains Python, such as an issue. What the code prints goes to stderr.',
      'A model whose __init__ has parameters needs --of, as in --of "Net(4, hidden=8)".',
    ],
    options: {
      source: one('FILE', 'the source of a model'),
      of: one('MODEL', 'the expression that is traced; default: the first model, without arguments'),
      timeout: TIMEOUT,
    },
  },
  'capture-script': {
    summary: 'print fusescope_capture.py, which records passes in a real PyTorch',
    usage: ['capture-script > fusescope_capture.py'],
    details: [
      'Then: python -m fusescope_capture your_script.py. The result opens with match --capture, or on the page.',
    ],
    options: {},
  },
  compare: {
    summary: 'compare two graphs: what changed, which matches are lost and won, and which change decides',
    usage: [
      'compare --graph OLD --graph NEW [--pattern FILE…] [--pass NAME…] [--json] [--timeout S]',
      'compare --graph OLD.fusescope --graph NEW.fusescope [--run N] [--json]',
    ],
    details: [
      'Nodes are paired by structure, not by name. A change decides if undoing it alone brings a match back.',
      'For two captures, PyTorch’s matches and the patterns are compared too.',
    ],
    options: {
      graph: { ...GRAPH, kind: 'many', help: 'the old graph, then the new one; or two captures' },
      pattern: PATTERN,
      pass: PASS,
      run: one('N', 'which graph of the captures to compare, if they have several'),
      json: flag('print {"changes": […], "lost": […], "won": […]}'),
      timeout: TIMEOUT,
    },
  },
  export: {
    summary: 'write a workspace as text that runs on a real PyTorch, 2.6 or newer',
    usage: [
      'export --workspace FILE [--run N] [--as script|pytest|patterns] [--timeout S]',
      'export --capture FILE [--run N] [--as script|pytest|patterns]',
    ],
    details: ['What the text leaves out or infers is on stderr, one sentence per line.'],
    options: {
      workspace: SAVED,
      capture: CAPTURE,
      run: one('N', 'which graph of a capture to export, if it has several'),
      as: one(
        'KIND',
        'script: prints the matches of each pass; pytest: asserts them; patterns: as PatternPrettyPrinter prints',
      ),
      timeout: TIMEOUT,
    },
  },
  print: {
    summary: 'read a graph in any form and print it in another',
    usage: ['print --graph FILE [--run N] --as fx|readable', 'print --link LINK --as fx|readable'],
    details: [],
    options: {
      graph: { ...GRAPH, help: 'the graph in any form, or a capture' },
      run: one('N', 'which graph of a capture to print, if it has several'),
      link: one('LINK', 'the graph that a link shows: an address, #v2.…, or a file that holds one of these'),
      as: one('fx|readable', 'fx: print(graph); readable: print_readable'),
    },
  },
  link: {
    summary: 'print the link of a graph and its patterns: the part of the address after the page',
    usage: [
      'link --graph FILE [--readable FILE] [--shapes FILE] [--pattern FILE…] [--pass NAME…] [--comments keep|drop]',
      'link --graph FILE [--config FILE] [--env NAME=VALUE,…] [--torch VERSION]',
      'link --workspace FILE [--run N] [--comments keep|drop]',
      'link --capture FILE [--run N]',
    ],
    details: [
      'By default, source comments are left out only if the link fits in 3,000 characters without them and not with them.',
      'docs/links.md specifies the text of a link.',
    ],
    options: {
      graph: GRAPH,
      readable: READABLE,
      shapes: SHAPES,
      pattern: PATTERN,
      pass: PASS,
      ...UNDER,
      comments: one('keep|drop', 'source comments of print_readable'),
      workspace: SAVED,
      capture: CAPTURE,
      run: one('N', 'which graph of a capture to link, if it has several'),
    },
  },
}

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS)

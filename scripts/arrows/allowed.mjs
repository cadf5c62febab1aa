// @ts-check
/** The allowed imports of src/. A new edge is a decision: write it here with its reason, and in ARCHITECTURE.md. */

/**
 * Folder → the folders it may import, each with the reason:
 * app, cli → engine → explain, gpu, python, workspace → compact, matcher → trace → ops → fx → base. Every folder may import base.
 * @type {Record<string, Record<string, string>>}
 */
export const ARROWS = {
  ops: { fx: 'schemas and shape rules use values, dtypes and nodes' },
  trace: { ops: 'each traced call looks up its operator', fx: 'a trace is a Graph' },
  compact: { fx: 'it reads, stores and prints graphs' },
  workspace: {
    compact: 'links and files are coded documents',
    explain: 'the types of near misses and fixes that a link carries',
    matcher: 'the type of steps that a link carries',
  },
  matcher: {
    trace: 'the specific attempt re-traces; a replacement is traced with real shapes',
    ops: 'side effects of operators, strides of a value whose dump prints none',
    fx: 'it walks and edits Graphs',
  },
  explain: {
    matcher: 'it explains attempts and mismatches',
    ops: 'facts of operators: which have side effects, which pass values through',
    fx: 'it names nodes',
  },
  gpu: { ops: 'kernels belong to operators', fx: 'programs consist of Graph nodes' },
  python: {
    matcher: 'it implements PatternHost and hands registrations over',
    trace: 'every operator call of the user goes to the tracer',
    ops: 'schemas of operators that Python looks up',
    fx: 'values, Problems, source lines',
  },
  engine: {
    explain: 'causes and near misses of a report',
    gpu: 'the programs to run for a match',
    python: 'the host',
    workspace: 'the input of an analysis',
    matcher: 'it applies passes',
    trace: 'it creates the tracer',
    ops: 'facts of operators: families, side effects, schemas',
    fx: 'reading and printing',
  },
  app: {
    engine: 'the client and the report',
    workspace: 'links, files, storage',
    gpu: 'the Run panel drives the device from the page: a worker of the engine has no canvas to share it with',
  },
  library: {
    engine: 'the same session as the page, behind a few types',
    python: 'Pyodide and our Python files from disk (node_assets)',
    workspace: 'the input as a workspace',
  },
  cli: {
    engine: 'the same engine as the page',
    python: 'Pyodide from node_modules, and our Python files from disk (assets.node)',
    workspace: 'workspace files',
    fx: 'print and read need no Python',
  },
}

/** Package → the folders that may import it. @type {Record<string, string[]>} */
export const PACKAGES = {
  react: ['app'],
  'react-dom': ['app'],
  'react-resizable-panels': ['app'],
  '@xyflow/react': ['app'],
  zustand: ['app'],
  cmdk: ['app'],
  '@radix-ui/react-dialog': ['app'],
  '@radix-ui/react-dropdown-menu': ['app'],
  '@radix-ui/react-radio-group': ['app'],
  '@radix-ui/react-tabs': ['app'],
  '@radix-ui/react-tooltip': ['app'],
  '@noble/hashes': ['base'],
  diff: ['base'],
  idb: ['workspace'],
  'browser-basedpyright': ['app'],
  '@wasm-fmt/ruff_fmt': ['app'],
  'monaco-editor': ['app'],
  re2js: ['app'],
  pyodide: ['python'],
  fzstd: ['python'],
  '@bokuweb/zstd-wasm': ['python'],
  zod: ['workspace'],
  // Component tests use it: src/app/testing/render.tsx.
  '@testing-library/react': ['app'],
  // It reads lessons that are not part of the site: src/app/markdown/read_markdown.ts.
  marked: ['app'],
  // A helper of tests that registers hooks: src/cli/testing/program.ts.
  vitest: ['cli'],
  // Schemas as text: from the disk in Node, bundled for the browser (package.json, imports).
  '#schema-texts': ['ops'],
}

/** The command line, test helpers and files named for Node (`node_assets.ts`) may import `node:` modules. @param {string} file */
export const mayUseNode = (file) => file.startsWith('cli/') || /\/testing\/|(?:\.node|\/node_\w+)\.ts$/.test(file)

/** Folders of src/app below the features: they import neither a feature nor the shell. */
export const BELOW_FEATURES = [
  'canvas',
  'commands',
  'examples',
  'files',
  'fold',
  'layout',
  'markdown',
  'on_screen',
  'report',
  'session',
  'theme',
  'ui',
]

/**
 * Feature of src/app/features → the features it may import, each with the reason.
 * @type {Record<string, Record<string, string>>}
 */
export const FEATURES = {
  editor: { run: 'compiler errors of kernels are marked in the text' },
  find_in_files: { problems: 'results are listed as problems are' },
  fusions: { my_patterns: 'and the user’s own' },
  graph: { patterns: 'the bar opens the table of patterns by graphs' },
  problems: { editor: 'the problems of the texts, and the caret in a file' },
  offline: {
    live: 'a page of a process is not kept',
    open_files: 'nor is one that shows its file',
  },
  open_files: {
    lessons: 'a lesson file is played',
    my_patterns: 'a dropped folder can be kept as patterns',
    share: 'a snapshot file opens as a link does',
  },
  patterns: {
    environment: 'the environment is above the tree, because it decides what is registered',
    lessons: 'terms of the tree are explained by the glossary',
    run: 'verdicts of variants are in the tree',
  },
  share: { run: 'a link holds the last run result' },
  steps: { lessons: 'the stages of a match are terms of the glossary' },
  whynot: {
    capture: 'PyTorch’s verdict, and the script that records it',
    lessons: 'the kind of a cause is a term of the glossary',
    shapes: 'a place that lacks only shapes opens the table of inputs',
    paste_output: 'pasted output of PyTorch is explained in this panel',
  },
}

/**
 * Files with a variable of the module (`let`), each with the reason; none in src/app. Other state belongs to a store, to the page or a
 * session (app/session/scope.ts), or is made once (base/memoize.ts).
 * @type {Record<string, string>}
 */
export const VARIABLES = {
  'cli/testing/program.ts': 'the folder of a test file',
  'cli/threads/pool.ts': 'the program, set at its start',
  'engine/worker/browser.ts': 'the engine that starts before the app',
  'engine/worker/engine.worker.ts': 'the session of the worker',
  'gpu/device/registry.ts': 'the kernels of the user, for the run in progress',
  'python/node_assets.ts': 'how the process makes snapshots, set at its start',
}

/** Classes that a module of src/app may instantiate: values, pure caches, and the databases of the browser. */
export const CONSTANT_CLASSES = [
  ...['RegExp', 'URLSearchParams', 'Intl', 'Uint32Array'],
  ...['Renewable', 'RecentValues', 'Library', 'TableRuns'],
]

/** Maximum number of source files in one folder, without tests. */
export const MAX_FILES = 25

/** Maximum number of lines in a file without a reason in its head comment. */
export const MAX_LINES = 300

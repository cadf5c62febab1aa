// @ts-check
/** The imports that src/ may have. A new edge is a decision: write it here with its reason, and in ARCHITECTURE.md. */

/**
 * Folder → the folders it may import, each with the reason:
 * app, cli → engine → explain, gpu, python, workspace → matcher → trace → ops → fx → base. Every folder may import base.
 * @type {Record<string, Record<string, string>>}
 */
export const ARROWS = {
  ops: { fx: 'schemas and shape rules speak of values, dtypes and nodes' },
  trace: { ops: 'each traced call asks for its operator', fx: 'a trace is a Graph' },
  matcher: {
    trace: 'the specific attempt re-traces; a replacement is traced with real shapes',
    ops: 'strides of a value whose dump prints none',
    fx: 'it walks and edits Graphs',
  },
  explain: {
    matcher: 'attempts and mismatches are what it explains',
    fx: 'it names nodes',
  },
  gpu: { ops: 'kernels are of operators', fx: 'programs are made of Graph nodes' },
  python: {
    matcher: 'it implements PatternHost and hands registrations over',
    trace: 'every operator call of the user goes to the tracer',
    ops: 'schemas of operators that Python asks for',
    fx: 'values, Problems, source lines',
  },
  engine: {
    explain: 'causes and near misses of a report',
    gpu: 'the programs to run for a match',
    python: 'the host',
    workspace: 'what is analysed',
    matcher: 'passes are applied here',
    trace: 'the tracer is made here',
    ops: 'families of operators',
    fx: 'reading and printing',
  },
  app: {
    engine: 'the client and the report',
    workspace: 'links, files, storage',
    gpu: 'the Run panel drives the device from the page: a worker of the engine has no canvas to share it with',
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
  diff: ['engine'],
  'monaco-editor': ['app'],
  pyodide: ['python'],
  zod: ['workspace'],
  // Schemas as text: from the disk in Node, bundled for the browser (package.json, imports).
  '#schema-texts': ['ops'],
}

/** The command line, test helpers and files named for Node (`node_assets.ts`) may import `node:` modules. @param {string} file */
export const mayUseNode = (file) => file.startsWith('cli/') || /\/testing\/|(?:\.node|\/node_\w+)\.ts$/.test(file)

/**
 * Feature of src/app/features → the features it may import, each with the reason.
 * @type {Record<string, Record<string, string>>}
 */
export const FEATURES = {}

/** Source files in one folder, tests not counted. */
export const MAX_FILES = 25

/** Lines in one file without a reason in its head comment. */
export const MAX_LINES = 300

/** The classes of the modules that a graph calls: `print(gm)` lists them above the code; other texts do not. */
import { count, listed } from '../../base/english'
import type { Graph } from '../graph/graph'
import type { Node } from '../graph/node'
import type { Problems } from './scan'

/** ` (fc): Linear(in_features=8, out_features=4, bias=True)`; equal entries are printed as `(0-3): 4 x Linear(…)`. */
const LINE = /^(\s*)\(([\w-]+)\): (?:\d+ x )?(\w+)\(/
/** Maximum number of lines above the code that may belong to the list. */
const MOST = 2000

/** torch.export adds this module to each `ExportedProgram.module()`: it checks the inputs and returns nothing. */
const GUARDS = '_guards_fn'

/** Conventional names of modules. Numbers at the end are dropped: `conv1`, `fc_2`. */
const NAMES: readonly (readonly [name: RegExp, cls: string])[] = [
  [/^(?:fc|lin|linear|dense|(?:\w+_)?proj|lm_head)$/, 'Linear'],
  [/^conv$/, 'ConvNd'],
  [/^(?:bn|batch_?norm)$/, 'BatchNormNd'],
  [/^(?:ln|layer_?norm)$/, 'LayerNorm'],
  [/^rms_?norm$/, 'RMSNorm'],
  [/^relu$/, 'ReLU'],
  [/^gelu$/, 'GELU'],
  [/^silu$/, 'SiLU'],
  [/^sigmoid$/, 'Sigmoid'],
  [/^tanh$/, 'Tanh'],
  [/^softmax$/, 'Softmax'],
  [/^drop(?:out)?$/, 'Dropout'],
  [/^emb(?:ed|edding)?$/, 'Embedding'],
]

/**
 * Gives each call_module its class: the one listed above the graph, else the one that the module's name suggests. A note says which
 * classes were guessed from names and which are unknown.
 * @param above the text before the graph
 */
export function readModuleClasses(graph: Graph, above: string, line: number, problems: Problems): void {
  const calls = [...graph.nodes()].filter((n) => n.op === 'call_module')
  if (calls.length === 0) return
  const named = classesIn(above)
  const guessed = new Map<string, string>()
  const unknown = new Set<string>()
  for (const node of calls) {
    const cls = node.target === GUARDS ? 'GuardsFn' : (named.get(node.target) ?? byName(node))
    if (cls === null) unknown.add(`self.${node.target}`)
    else node.meta.moduleClass = cls
    if (cls !== null && node.target !== GUARDS && !named.has(node.target)) guessed.set(`self.${node.target}`, cls)
  }
  note(
    [...guessed].map(([name, cls]) => `${name} as ${cls}`),
    [...unknown],
    line,
    problems,
  )
}

/** The lines of the last module tree above a graph; empty if there is none. */
export function moduleTree(above: string): string {
  const lines = above.split('\n')
  const at = lines.findLastIndex((l) => /^\w+\($/.test(l))
  const end = lines.indexOf(')', at)
  return at < 0 || end < 0 || !LINE.test(lines[at + 1]!) ? '' : `${lines.slice(at, end + 1).join('\n')}\n`
}

function note(guessed: readonly string[], unknown: readonly string[], line: number, problems: Problems): void {
  if (guessed.length + unknown.length === 0) return
  const parts = [
    ...(guessed.length > 0 ? [`takes ${some(guessed)} by name`] : []),
    ...(unknown.length > 0 ? [`matches no pattern of CallModule at ${some(unknown)}`] : []),
  ]
  problems.note(
    line,
    `This text does not name the classes of its modules, which PyTorch compares: Fusescope ${parts.join(' and ')}. Paste print(gm), whose first lines name them.`,
  )
}

const some = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${count(names.length - 4, 'more module')}` : listed(names)

/** The classes by path, from the last module tree of a text. */
function classesIn(above: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const path: { indent: number; names: readonly string[] }[] = []
  for (const line of above.split('\n').slice(-MOST)) {
    if (/^\w+\($/.test(line)) found.clear()
    const [, space, key, cls] = LINE.exec(line) ?? []
    if (space === undefined || key === undefined || cls === undefined) continue
    while (path.length > 0 && path.at(-1)!.indent >= space.length) path.pop()
    const owners = path.at(-1)?.names ?? ['']
    const names = owners.flatMap((owner) => keysOf(key).map((k) => (owner === '' ? k : `${owner}.${k}`)))
    for (const name of names) found.set(name, cls)
    path.push({ indent: space.length, names })
  }
  return found
}

/** `fc` yields itself; `0-3` yields 0 to 3. */
function keysOf(key: string): readonly string[] {
  const [, from, to] = /^(\d{1,4})-(\d{1,4})$/.exec(key) ?? []
  if (from === undefined || to === undefined) return [key]
  return Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, i) => String(Number(from) + i))
}

function byName(node: Node): string | null {
  const name = node.target
    .split('.')
    .at(-1)!
    .toLowerCase()
    .replace(/_?\d+$/, '')
  const cls = NAMES.find(([names]) => names.test(name))?.[1]
  return cls?.replace('Nd', `${rankOf(node)}d`) ?? null
}

/** The number of spatial dimensions of the input; 2 (images) if the text has no shape. */
function rankOf(node: Node): number {
  const val = node.inputs()[0]?.meta.val
  return val?.kind === 'tensor' && val.shape.length >= 2 ? Math.max(1, val.shape.length - 2) : 2
}

/** Mutated graphs, captures, patterns, selections and lessons, and the Python files that Fusescope writes for them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { corpus, type CorpusText } from '../../../conformance/read_fuzz/corpus'
import { mutate } from '../../../conformance/read_fuzz/mutations'
import { Random } from '../../../conformance/read_fuzz/random'
import { lessonWorkspace, readLesson, writeLesson } from '../../../src/app/features/lessons/files/lesson_files'
import { readCapture } from '../../../src/engine/capture/read'
import { declareOperators } from '../../../src/engine/capture/replay'
import { exportWorkspace, type ExportSource } from '../../../src/engine/export/export_workspace'
import type { ExportKind } from '../../../src/engine/export/types'
import { makePattern } from '../../../src/engine/from_selection/make_pattern'
import { schemasOf } from '../../../src/engine/run/registering'
import { read, type Graph, type Node } from '../../../src/fx'
import { createTracer } from '../../../src/trace'
import type { Workspace } from '../../../src/workspace/types'
import { root } from '../../lib.mjs'

/** Cases that `npm test` makes. */
export const SAMPLE = 100

/** Creates the file when it runs. */
export const EVIL = `__import__('os').system('touch PWNED')`

const OPEN = `open('PWNED', 'w')`
/** Texts that would be code at some place of a file. */
export const HOSTILE: readonly string[] = [
  EVIL,
  OPEN,
  ...[`"""\n${EVIL}\n"""`, `'''\n${EVIL}\n'''`, `'\n${EVIL}\n'`, `"\n${EVIL}\n"`, `\n${EVIL}\n#`, `\n    ${EVIL}\n    #`],
  ...[`\r${EVIL}\r`, `\u2028${EVIL}`, `\f${EVIL}`, `\x85${EVIL}`, `\\\n${EVIL}`, `\\'+${EVIL}+'`, `x"""+${EVIL}+"""`],
  ...[`)\n${EVIL}\n(`, `]\n${EVIL}\n[`, `x)\n    ${EVIL}\n    (x`, `0 = ${EVIL}; p0`, `a=0); ${EVIL}; (CallFunction)(aten`],
  ...[`math.pi if ${EVIL} else 1`, `math.sin if ${OPEN} else 1`, `build.x, ${EVIL}`, `f32[${EVIL}, 4]`, `Sym(${EVIL})`, `s0*(${EVIL})`],
  ...[`x=${EVIL}`, `lambda: ${EVIL}`, `{${EVIL}}`, `{{${EVIL}}}`, `f'{${OPEN}}'`, `*${EVIL}`, `float32, ${EVIL}`, `aten.relu.default\n${EVIL}`],
  ...['os.system', 'torch.serialization.os.system', 'torch.load', 'torch.hub.load', 'builtins.eval', 'builtins.exec', 'operator.attrgetter'],
  ...['torch.ops.load_library', 'torch.ops.aten.__class__', 'torch._C._nn.__dict__', 'operator.__loader__', 'math.__spec__.loader.exec_module'],
  ...['aten.__class__.__base__', 'aten.add.__call__', 'aten.add.Tensor.op', '__builtins__', '__import__', 'lambda', 'None', 'self', 'build', 'torch'],
  ...['eval', 'exec', 'function', 'getattr', 'register_replacement', 'pattern', 'True', '', ' ', "'", '"', '\\', '\0', '\ud800', '\u202e', '\u200b'],
  ...['\u{e0041}', 'x\u00a0y', 'ｅｖａｌ', 'ﬁ', '٣', '9'.repeat(5000), '('.repeat(300), 'a'.repeat(2000), '1e999', '0x', '1_0', '__debug__', '# -*- coding: utf-7 -*-'],
  ...['##vso[task.uploadfile]/etc/passwd', '<DartMeasurementFile>/etc/passwd', '[[ATTACHMENT|/etc/passwd]]', 'a\n::set-env name=PATH::x'],
] // prettier-ignore

/** One file that Fusescope wrote. `kind`: see forms.py. */
export interface MadeFile {
  kind: 'script' | 'recorded' | 'patterns' | 'selection'
  text: string
}

/** Placeholders for the runtime and the bundled packages, whose real texts are the same in each file. */
const LIBRARY: ExportSource['library'] = Object.fromEntries(
  ['_fusescope/exported/shown', '_fusescope/exported/sizes', '_fusescope/exported/operators', '_fusescope/exported/guard', '_fusescope/exported/graphs', '_fusescope/exported/stages', '_fusescope/exported/recorded']
    .concat(['_fusescope/environment', '_fusescope/frames', '_fusescope/stubs', 'vllm/__init__'])
    .map((name) => [`${name}.py`, `"""A part of the runtime."""\nimport json\n\nPART = ${JSON.stringify(name)}\n`]),
) // prettier-ignore

const CAPTURES = ['compiled-model', 'imported-late', 'inductor-graph-patterns', 'torch-2.6-imported-late']
const PRINTED = [
  `output = CallFunction(aten.relu.default, KeywordArg('x'))`,
  `mul_Tensor = CallFunction(aten.mul.Tensor, KeywordArg('x'), Ignored(), _users=2)
output = MultiOutputPattern([mul_Tensor,
  CallFunction(prims.convert_element_type.default, mul_Tensor, torch.float16, -1.5e-06, [1, *], slice(None, 3, None))
])`,
  `output = CallFunction([aten.add.Tensor, operator.add], ListOf(KeywordArg('a'), partial=True), 'text', device(type='cuda', index=0), kw=inf)`,
]

/** Makes the files of case `index` of a seed. */
export class ExportCases {
  private readonly texts: readonly CorpusText[]
  private readonly captures: readonly (readonly string[])[]
  private readonly tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)

  /** @param toRun the whole runtime, for files that are run: then the files of the workspaces are innocent */
  constructor(private readonly toRun: ExportSource['library'] | null = null) {
    this.texts = corpus().filter((t) => t.text.length < 6000)
    this.captures = CAPTURES.map((name) =>
      gunzipSync(readFileSync(join(root, 'conformance', 'captures', `${name}.fusescope.gz`))).toString().trimEnd().split('\n'),
    ) // prettier-ignore
  }

  /** Files of innocent workspaces: their fixed statements occur in each file. */
  fixed(): string[] {
    const { graph } = read(INNOCENT, 'graph.txt')
    const random = new Random(1)
    const v2 = { platform: 'cuda', dtype: 'float16', tokens: null, customOps: [], flags: {}, functionalization: 'v2' }
    const workspaces = [innocent(), { ...innocent(), environment: v2 } as unknown as Workspace]
    const scripts = workspaces.flatMap((workspace) =>
      (['script', 'pytest'] as const).flatMap((kind) => [
        this.exported(kind, { workspace, graphs: [graph] }),
        this.exported(
          kind,
          this.ofCapture(this.captures[0]!, random, workspace, (l) => l)!,
        ),
      ]),
    )
    const printed = this.exported('patterns', { workspace: innocent(), graphs: [graph], passes: [['p', PRINTED[0]!]] })
    const selection = this.selected(graph, ['a', 'b'], ['declare("ns::op(Tensor x) -> Tensor", None)'])
    return [...scripts, printed, ...selection]
  }

  make(seed: number, index: number): MadeFile[] {
    const random = new Random(seed * 1_000_003 + index)
    this.tracer.reset?.()
    switch (index % 5) {
      case 0:
        return this.graphCase(random)
      case 1:
        return this.captureCase(random)
      case 2:
        return this.patternCase(random)
      case 3:
        return this.selectionCase(random)
      default:
        return this.lessonCase(random)
    }
  }

  private graphCase(random: Random): MadeFile[] {
    const graphs = [this.graph(random)]
    const workspace = damaged(innocent(), random, 0.5)
    const kind = random.of(['script', 'pytest'] as const)
    return [{ kind: 'script', text: this.exported(kind, { workspace, graphs, ...hostileRun(random) }) }]
  }

  private captureCase(random: Random): MadeFile[] {
    const lines = random.of(this.captures)
    const source = this.ofCapture(lines, random, damaged(innocent(), random, 0.3), (line, i) =>
      i > 0 && random.below(3) === 0 ? JSON.stringify(damaged(JSON.parse(line) as object, random, 0.02, true)) : line,
    )
    return source ? [{ kind: 'recorded', text: this.exported(random.of(['script', 'pytest'] as const), source) }] : []
  }

  private patternCase(random: Random): MadeFile[] {
    const entry = (): string => {
      const text = splice(random.of(PRINTED), random)
      return random.below(3) === 0 ? mutate(text, random, random.of(PRINTED)).text : text
    }
    const passes = Array.from({ length: 3 }, () => [nameLike(random), entry()] as const)
    const workspace = damaged(innocent(), random, 0.5)
    return [{ kind: 'patterns', text: this.exported('patterns', { workspace, graphs: [], passes }) }]
  }

  private selectionCase(random: Random): MadeFile[] {
    const graph = this.graph(random)
    const calls = [...graph.nodes()].filter((n) => n.op.startsWith('call'))
    if (calls.length === 0) return []
    const at = random.below(calls.length)
    const names = calls.slice(at, at + 1 + random.below(3)).map((n) => n.name)
    return this.selected(graph, names, [], nameLike(random)).map((text) => ({ kind: 'selection', text }))
  }

  /** The files of a recorded lesson hold their texts unchanged; its workspaces are exported like others. */
  private lessonCase(random: Random): MadeFile[] {
    const step = { id: 'one', title: nameLike(random), text: nameLike(random), workspace: 'main' }
    const { text } = random.of(this.texts)
    const workspace = damaged(innocent(mutate(text, random, INNOCENT).text), random, 0.3)
    const draft = { id: 'own', title: nameLike(random), summary: nameLike(random), minutes: 1, workspaces: { main: workspace }, steps: [step] } // prettier-ignore
    const files = writeLesson(draft)
    const get = (path: string): string | null => files.get(path) ?? null
    let read: Workspace
    try {
      read = lessonWorkspace(readLesson('own', get), 'main', get)
    } catch {
      return []
    }
    const graphs = [this.read(read.graph.text)]
    return [{ kind: 'script', text: this.exported('script', { workspace: read, graphs, ...hostileRun(random) }) }]
  }

  private read = (text: string): Graph => read(text, 'graph.txt').graph

  private graph(random: Random): Graph {
    const { text } = random.of(this.texts)
    if (random.below(2) === 0) return this.read(splice(mutate(text, random, INNOCENT).text, random))
    const graph = this.read(random.below(2) === 0 ? splice(text, random) : text)
    for (const node of graph.nodes()) if (random.below(4) === 0) damageNode(node, random)
    return graph
  }

  private selected(graph: Graph, names: readonly string[], lines: readonly string[], title = 'graph.txt'): string[] {
    const texts: string[] = []
    makePattern(graph, names, {}, {
      title,
      schemaOf: this.schemaOf,
      stands: () => false,
      declarations: () => ({ lines: [...lines] as never, untraceable: false }),
      run: (python) => {
        texts.push(python)
        return { error: null, applied: [], failure: null }
      },
    }) // prettier-ignore
    return texts
  }

  private ofCapture(
    lines: readonly string[],
    random: Random,
    workspace: Workspace,
    change: (line: string, index: number) => string,
  ): Source | null {
    const found = readCapture(lines.map(change).join('\n'), nameLike(random))
    if (!found.ok) return null
    const capture = found.value
    const applications = capture.applications.filter((a) => a.before !== null && capture.graphs.has(a.before))
    declareOperators(capture, this.tracer)
    const passes = applications.map(({ pass }) => {
      const { variable, holder, passName } = capture.passes.get(pass) ?? {}
      return [variable?.[1] ?? holder?.[1] ?? passName ?? `pass_${pass}`, ''] as const
    })
    return { workspace, graphs: [], passes, recorded: { capture, applications } }
  }

  private exported(
    kind: ExportKind,
    { workspace, graphs, passes = [], python, plan, recorded = null }: Source,
  ): string {
    const runs = passes.map(([name, text], i) => ({
      passId: i,
      count: 1,
      toExplain: { name, entries: [{ printable: true, text, keys: [name] }] },
    }))
    const pipeline = { plan: plan ?? { acting: [], defined: [] }, passes: runs }
    const files = this.toRun ? innocent().files : workspace.files
    const source = {
      workspace: { ...workspace, files },
      python: python ?? { files: [], stubs: [] },
      pipeline,
      graphs: graphs.map((graph, i) => ({ name: i === 0 ? workspace.graph.name : `g${i}`, graph, pipeline })),
      tracer: this.tracer,
      observed: [],
      library: this.toRun ?? LIBRARY,
      recorded,
    }
    return exportWorkspace(source as unknown as ExportSource, kind).text
  }
}

interface Source {
  workspace: Workspace
  graphs: readonly Graph[]
  /** Name and printed entry of each pass. */
  passes?: readonly (readonly [name: string, text: string])[]
  python?: object
  plan?: object
  recorded?: ExportSource['recorded']
}

const INNOCENT = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu", y: "f32[4][1]cpu"):
        a: "f32[4][1]cpu" = torch.ops.aten.relu.default(x)
        b: "f32[4][1]cpu" = torch.ops.aten.add.Tensor(a, y)
        return (b,)`

const innocent = (text = INNOCENT): Workspace => ({
  name: 'Innocent',
  graph: { name: 'graph.txt', text },
  files: [{ name: 'patterns.py', text: 'import vllm\nx = 1\n' }],
  options: { timeLimitS: 10 },
})

/** Names that a run of user code can return: modules, stubs, passes, classes, hooks. */
function hostileRun(random: Random): Pick<Source, 'python' | 'plan' | 'passes'> {
  const name = (): string => nameLike(random)
  const stage = { variable: name(), passId: random.of([null, 1]), callable: random.of([null, 1]), of: random.of([null, name()]), hook: random.of([null, name()]), override: random.of([undefined, true]) } // prettier-ignore
  return {
    python: {
      files: [{ file: name(), module: name(), failure: random.of([null, { type: name(), message: name() }]) }],
      stubs: [{ module: name() }],
    },
    plan: { acting: [{ defined: stage }], defined: [stage, { ...stage, variable: name(), passId: 2 }] },
    passes: [[name(), '']],
  }
}

const nameLike = (random: Random): string =>
  random.below(3) === 0 ? `p${random.below(9)}` : `${random.of(['', 'x', 'aten.'])}${random.of(HOSTILE)}`

/** Replaces words, numbers and strings of a text. */
function splice(text: string, random: Random): string {
  const found = [...text.matchAll(/[A-Za-z_][\w.]*|\d+|"[^"\n]*"/g)]
  for (let n = 1 + random.below(4); n > 0 && found.length > 0; n--) {
    const { index, 0: word } = random.of(found)
    if (text.slice(index, index + word.length) !== word) continue
    text = text.slice(0, index) + random.of(HOSTILE) + text.slice(index + word.length)
  }
  return text
}

/** A node that no reader makes: each of its texts may be anything. */
function damageNode(node: Node, random: Random): void {
  const of = node as unknown as Record<string, unknown>
  const evil = random.of(HOSTILE)
  switch (random.below(5)) {
    case 0:
      of.name = `${evil}${random.below(1000)}`
      return
    case 1:
      of.target = evil
      return
    case 2:
      of.args = [...node.args, random.of(VALUES)(evil)]
      return
    case 3:
      of.kwargs = new Map([...node.kwargs, [evil, random.of(VALUES)(evil)]])
      return
    default:
      of.meta = {
        ...node.meta,
        val: random.of(METADATA)(evil),
        additional: { [evil]: evil },
        custom: { [evil]: [evil] },
      }
  }
}

/** Values of arguments by the text in them. */
const VALUES: readonly ((text: string) => unknown)[] = [
  (t) => t,
  (t) => ({ kind: 'opaque', text: t }),
  (t) => ({ kind: 'sym', expr: t }),
  (t) => ({ kind: 'op', name: t }),
  (t) => ({ kind: 'dtype', name: t }),
  (t) => ({ kind: 'layout', name: t }),
  (t) => ({ kind: 'memory_format', name: t }),
  (t) => ({ kind: 'device', type: t, index: null }),
  (t) => ({ kind: 'device', type: 'cuda', index: t }),
  (t) => ({ kind: 'tuple', items: [t, { kind: 'opaque', text: t }] }),
  (t) => ({ kind: 'slice', start: { kind: 'sym', expr: t }, stop: t, step: null }),
  (t) => ({ kind: 'dict', entries: new Map([[t, t]]) }),
  (t) => [[t, 1n, 0.5, Number.NaN, -0, null, true]],
]
const tensor = (over: object): unknown => ({ kind: 'tensor', dtype: 'float32', shape: [4], stride: [1], device: { type: 'cpu', index: null }, ...over }) // prettier-ignore
const METADATA: readonly ((text: string) => unknown)[] = [
  (t) => tensor({ dtype: t }),
  (t) => tensor({ shape: [t, 4] }),
  (t) => tensor({ stride: [t] }),
  (t) => tensor({ device: { type: t, index: null } }),
  (t) => tensor({ device: { type: 'cuda', index: t } }),
  (t) => ({ kind: 'scalar', value: { kind: 'sym', expr: t } }),
  (t) => ({ kind: 'vals', items: [tensor({ dtype: t }), null] }),
]

/**
 * Plain data with some texts and items replaced.
 * @param rate the probability for each
 * @param json true: it may be anything that a file holds; else its schema has been checked, and only texts are replaced
 */
function damaged<T>(value: T, random: Random, rate: number, json = false): T {
  const hit = random.next() < rate
  if (typeof value === 'string') return (hit ? random.of(HOSTILE) : value) as T
  if (typeof value !== 'object' || value === null)
    return (hit && json ? random.of<unknown>([random.of(HOSTILE), -1, 1e300, 0.5, null, [], {}, 2 ** 53]) : value) as T
  if (Array.isArray(value)) {
    const items = value.map((v) => damaged<unknown>(v, random, rate, json))
    return (hit && json && items.length > 0 ? [...items, random.of(items)] : items) as T
  }
  const key = (k: string): string => (json && random.next() < rate / 8 ? random.of(HOSTILE) : k)
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [key(k), damaged<unknown>(v, random, rate, json)]),
  ) as T
}

/** Recognizes texts that people mistake for graphs, and says which line shows it and what is missing. */
import { listed } from '../../../base/english'

export interface Recognized {
  line: number
  column: number
  /** Sentences: what the text looks like, and what to provide instead. */
  message: string
  /** Other contents of the text describe it better. */
  weak: boolean
}

const GIVE = 'Provide the text of print(graph) or print_readable'

/** Marks of texts without a graph; the first mark found in a text decides how it is described. */
const KINDS: readonly (readonly [mark: RegExp, message: string, weak?: 'weak'])[] = [
  [
    /^version https:\/\/git-lfs/m,
    'This is a Git LFS pointer, not the file it stands for. Fetch the file with "git lfs pull".',
  ],
  [/^[ \t]{0,40}(?:<!DOCTYPE html|<html\b)/im, `This is a web page. ${GIVE}, copied from it or from its raw file.`],
  [/^[ \t]{0,40}<\?xml|^[ \t]{0,40}<svg\b/m, `This is a drawing in XML. ${GIVE}, or the DOT text of FxGraphDrawer.`],
  [
    /<(?:polygon|polyline|path|text) [\w-]{1,40}=/,
    `This is a drawing in XML. ${GIVE}, or the DOT text of FxGraphDrawer.`,
    'weak',
  ],
  [/^[ \t]{0,40}digraph\b/m, `This DOT text has no nodes of FxGraphDrawer (label="{name=%…|op_code=…}"). ${GIVE}.`],
  [
    /%[\w.]{1,60} : .{0,200}= (?:aten|prim|quantized|onnx)::/m,
    `This looks like TorchScript IR (aten::…), not FX. ${GIVE} of torch.fx, torch.export or torch.compile.`,
  ],
  [
    /^[ \t]{0,40}(?:module\b.{0,80}\{|func\.func\b|builtin\.module\b)|= (?:stablehlo|mhlo|linalg|torch\.aten)\.\w+/m,
    `This looks like MLIR, not FX. ${GIVE} from before it was lowered.`,
  ],
  [
    /^[ \t]{0,40}(?:op|buf)\d+: (?:Nop|Extern|Foreach|Fused)?(?:Kernel)?(?:SchedulerNode|NopKernelSchedulerNode|ExternKernelSchedulerNode)\b/m,
    "This looks like Inductor's IR (ir_pre_fusion.txt, ir_post_fusion.txt), which has no FX nodes. Provide fx_graph_transformed.py of the same folder.",
  ],
  [
    /^(?:async_compile = AsyncCompile\(\)|def call\(|from torch\._inductor\.async_compile)|@triton\.jit|^cpp_fused_\w{1,200} = |^[ \t]{0,40}buf\d+ = torch\.ops\./m,
    'This looks like Inductor\'s output code without the comments "# Graph fragment:". Provide fx_graph_transformed.py, or TORCH_LOGS=post_grad_graphs.',
  ],
  [
    /^.{0,300}\blowering %\w{1,100} : \[num_users=/m,
    'These are the lines of TORCH_LOGS=+inductor as it lowers each node. Provide the graph under AFTER POST GRAD of the same log, or TORCH_LOGS=post_grad_graphs.',
  ],
  [
    /^\w{1,100} = (?:CallFunction|CallMethod|CallModule|MultiOutputPattern|KeywordArg)\w{0,20}\(/m,
    'These are printed patterns (PatternPrettyPrinter), not a graph. Open the text as a pattern file: --pattern on the command line.',
  ],
  [
    /^[ \t]{0,40}graph [\w.-]{1,80} \([ \t]{0,40}\n?[ \t]{0,40}%[\w.:/-]{1,80}\[[A-Z]/m,
    `This looks like ONNX IR, not FX. ${GIVE} of the exported program.`,
  ],
  [
    /^# Constructed by [^\n]{1,80} \(took \d/m,
    `This is a trace of Lightning Thunder, not FX. ${GIVE} of torch.compile.`,
  ],
  [/^[ \t]{0,40}HloModule \w/m, `This looks like HLO of XLA, not FX. ${GIVE} from before it was lowered.`],
  [
    /^[ \t]{0,40}(?:op_type: "|metadata_props \{|opset_import \{)/m,
    `This looks like ONNX IR as text of its protobuf, not FX. ${GIVE} of the exported program.`,
  ],
  [
    /_TRTInterpreter:Convert(?:ing|ed) node\b/,
    'These are the lines of Torch-TensorRT as it converts each node. Provide a graph that the same log prints above them ("Graph after …"), or print(gm.graph).',
  ],
  [
    /\boccurrences_in_(?:non_)?delegated_graphs\b/,
    "This is ExecuTorch's table of delegated operators: counts without a graph. Provide print(exported_program.graph), or print_delegated_graph.",
  ],
  [
    /^[ \t]{0,40}Node \w{1,200} with op .{1,2000} was not decomposed or delegated/m,
    "This is ExecuTorch's list of nodes that no backend takes, without a graph. Provide print(exported_program.graph) of the program before to_backend.",
  ],
  [
    /\bcompiled_module_main\(|\bprint_performance\(fn, times=/,
    "This is the end of Inductor's output code: it times the kernels. Provide its beginning, whose comments have the graph's nodes, or TORCH_LOGS=post_grad_graphs.",
  ],
  [
    /^[ \t]{0,40}TRACE [A-Z][A-Z_]{2,40} \S/m,
    'These are the lines of TORCH_LOGS=+dynamo as it traces bytecode. Provide the graph under TRACED GRAPH of the same log, or TORCH_LOGS=graph_code.',
  ],
  [/\{ ?lambda ?[\w:[\], ]{0,200};/, `This looks like a jaxpr of JAX, not FX. ${GIVE} of torch.fx or torch.export.`],
  [
    /^[ \t]{0,40}TREE_GUARD_MANAGER:|^[ \t|]{0,40}\+- \w{0,40}GuardManager\b/m,
    'These are the guards of Dynamo (TORCH_LOGS=guards), without a graph. Add graph_code, aot_graphs or post_grad_graphs to TORCH_LOGS.',
  ],
  [
    /^[ \t]{0,40}Graph Count: \d|^[ \t]{0,40}Dynamo produced \d+ graphs?\b/m,
    'This is the summary of torch._dynamo.explain, without the graphs. Print each: for g in output.graphs: g.print_readable().',
  ],
  [
    /^[ \t]{0,40}args\[\d+\]: (?:TensorBox|StorageBox|ReinterpretView)\(/m,
    'This is an error of Inductor as it lowers a node: its arguments are IR, not a graph. Provide TORCH_LOGS=post_grad_graphs of the same run.',
  ],
  [
    /^[ \t]{0,40}(?:# inputs|Graph signature:|ExportGraphSignature\()/m,
    `This is the signature of an ExportedProgram without its graph. Provide print(exported_program), or print(exported_program.graph).`,
    'weak',
  ],
  [
    /^[ \t]{0,40}(?:Graph break in user code|Graph Break Reason:|Recompiling function|Explanation: (?:Detected|Dynamo)\b)/m,
    'This is TORCH_LOGS text about graph breaks or recompiles, without a graph. Add graph_code, aot_graphs or post_grad_graphs to TORCH_LOGS.',
  ],
  [
    /^[ \t]{0,40}[A-Za-z_]\w{0,300} = [\w.]{1,300}\([^\n]{0,20000}\);  \w{1,300} = /m,
    `This is a statement of a graph's code, which an error quotes, without the graph. ${GIVE} of the whole graph, or add graph_code to TORCH_LOGS.`,
    'weak',
  ],
  [
    /^[ \t]{0,40}(?:Traceback \(most recent call last\):|File "[^"\n]{1,300}", line \d+, in \S)/m,
    `This is a Python traceback. ${GIVE} of the graph at fault.`,
    'weak',
  ],
  [/^[ \t]{0,40}(?:diff --git |@@ -\d+)/m, `This is a diff. ${GIVE} from before or after the change.`, 'weak'],
  [
    /^[ \t]{0,40}[A-Z]\w{0,80}\([ \t]*\n[ \t]+\(\w{1,80}\): \w/m,
    'This is the repr of a module: its submodules without their calls. Provide print(gm.graph) or gm.print_readable().',
    'weak',
  ],
  [
    /^.{0,40}\bimports=\{.{0,400}'pkg\.onnxscript|^[ \t]{0,40}graph\([ \t]*\n[ \t]*name=/m,
    `This looks like ONNX IR, not FX. ${GIVE} of the exported program.`,
  ],
  [
    /^.{0,40}\b(?:plchdr|cl_fun|cl_mod|cl_meth)\b/m,
    `This table has abbreviations of its own for FX's opcodes. ${GIVE}, or graph.print_tabular().`,
  ],
  [
    /"chromium_event"|"dynamo_start"|"compilation_metrics"/,
    'This TORCH_TRACE log holds no graph. Its process compiled nothing, or the log is cut.',
  ],
]

/** The contents of a log without a graph, by the artifacts in its prefixes. @param artifacts by line from 0 */
export function recognizeArtifacts(artifacts: ReadonlyMap<number, string>): Recognized | null {
  const [first] = artifacts.keys()
  const names = [...new Set(artifacts.values())]
  if (first === undefined || names.some((n) => /graph(?!_breaks)/.test(n))) return null
  const message = `This is TORCH_LOGS text of ${listed(names)}, without a graph. Add graph_code, aot_graphs or post_grad_graphs to TORCH_LOGS.`
  return { line: first + 1, column: 1, message, weak: true }
}

/** A fenced block that says it is a diff; its lines may be a program's, without `@@`. */
const FENCED_DIFF = /^[ \t]{0,3}(?:```|~~~)diff\b/m

/** The kind of a text without a graph, judged by its fences; null for other text. */
export function recognizeFence(text: string): Recognized | null {
  const at = text.search(FENCED_DIFF)
  if (at < 0) return null
  const line = text.slice(0, at).split('\n').length + 1
  return { line, column: 1, message: `This is a diff without a graph. ${GIVE}, and open code as a file.`, weak: true }
}

const SCRIPT_CALL = /\)\.forward\w{0,8}\(/g
/** The text before a lone submodule call; FX code and a model's source write `self.name(x)`. */
const SUBMODULE = /\(\w[\w.]*$/

/**
 * Whether code calls a submodule as the `.code` of a scripted or traced module does: `(_0).forward(x)`. The names are searched
 * backward from the calls, because a line of megabytes of name characters overflowed a regular expression's stack.
 */
function callsScripted(code: string): boolean {
  for (const { index } of code.matchAll(SCRIPT_CALL))
    if (SUBMODULE.test(code.slice(Math.max(0, index - 200), index))) return true
  return false
}

// A comment may quote the user's code: `super().forward(x)`.
const withoutComments = (code: string) => code.replace(/#.*/g, '')

/** Whether a source is the `.code` of a scripted or traced module. */
export const isScriptCode = (source: string): boolean => callsScripted(withoutComments(source))

const SCRIPT_TYPES = /\w: Tensor\) -> \w/
/** TorchScript calls operators by other names. */
const OF_FX = /\b(?:torch\.ops|aten)\.\w/

export const SCRIPT_CODE = `This looks like the code of TorchScript, not FX. ${GIVE} of torch.fx, torch.export or torch.compile.`

/** TorchScript code resembles FX code but calls submodules differently; null for other text. */
export function recognizeScript(text: string): Recognized | null {
  const code = withoutComments(text)
  if (!(SCRIPT_TYPES.test(code) || callsScripted(code)) || OF_FX.test(code)) return null
  return { line: 1, column: 1, message: SCRIPT_CODE, weak: false }
}

/** The kind of a text without a graph; null if it is not recognized. */
export function recognize(text: string): Recognized | null {
  const head = text.slice(0, 500_000)
  for (const [mark, message, weak] of KINDS) {
    const at = head.search(mark)
    if (at < 0) continue
    const start = at + /^[ \t]{0,40}/.exec(head.slice(at, at + 1000))![0].length
    const lineStart = head.lastIndexOf('\n', start - 1) + 1
    let line = 1
    for (let i = head.indexOf('\n'); i >= 0 && i < start; i = head.indexOf('\n', i + 1)) line++
    return { line, column: start - lineStart + 1, message, weak: weak !== undefined }
  }
  return null
}

const NAMES: readonly (readonly [magic: string, message: string])[] = [
  [
    'PK',
    'This is a zip archive. Open it as a file: a .pt2 of torch.export.save has graphs; a .pt of torch.save has none.',
  ],
  ['\x89PNG', `This is a picture. ${GIVE}; a picture cannot be read.`],
  ['%PDF', `This is a PDF. ${GIVE}.`],
]

/** The kind of a binary file, by its first characters. */
export function recognizeBinary(text: string): string | null {
  return (
    NAMES.find(([magic]) => text.startsWith(magic) || text.startsWith(magic.replace('\x89', '\ufffd')))?.[1] ?? null
  )
}

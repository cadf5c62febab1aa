/**
 * The calls between the engine and Python, an entry each. A call of Python has its handler in `requests.ts` or a class that it lists, and
 * lib/_fusescope/engine.py, made from this table (`npm run tables`), has its function. A call of the engine has its handler in
 * `_HANDLERS` of lib/_fusescope/host.py, with the same signature; table.test.ts compares them.
 */
import type { AnswerOf, ArgumentsOf } from './types'

/** Python's calls that leave graphs unchanged: Python's cached facts about nodes stay valid. */
export const READS = {
  known_operator: '(name: str) -> Known',
  overloads: '(packet: str) -> Names',
  schema: '(overload: str) -> Json',
  patterns: '(pass_id: int) -> Json',
  storage: '(tensor: int, node: str | None) -> Json',
  batched: '(tensor: int) -> bool',
  /** torch.is_grad_enabled(), before it is set. */
  grad_mode: '(on: bool | None) -> bool',
  /** torch.autocast; None: off. */
  autocast: '(device: str, dtype: str | None) -> None',
  node: '(key: str) -> Json',
  node_before: '(key: str, other: str) -> bool',
  node_impure: '(key: str) -> bool',
  node_text: '(key: str) -> str',
  graph_ahead: '(number: int | None, key: str | None, backwards: bool, limit: int) -> Json',
  graph_size: '(number: int | None) -> int',
  /** Calls that copy a node from another graph, each with its name. */
  graph_foreign: '(number: int | None) -> Texts',
  graph_text: '(number: int | None) -> str',
  graph_code: '(number: int | None) -> str',
  graph_readable: '(number: int | None, name: str, stride: bool, device: bool) -> str',
  graph_noops: '(number: int | None) -> Names',
  graph_body: '(number: int | None, name: str) -> int | None',
  called_modules: '(number: int | None) -> Json',
  match_context: '(outputs: Values, bound: Bindings, number: int | None) -> int',
  match_in: '(context: int, pattern: Json, node: Value) -> Json',
  match_builtin: '(context: int, pattern: Json, node: Value) -> Json',
  match_bindings: '(context: int) -> Json',
  searched: '(number: int, graph: int | None, search: Search) -> int',
  search_refused: '(search: int, match: int, reads: Reads, returned: Returned) -> None',
  search_replacement: '(search: int, number: int, fn: int | None) -> None',
  search_replaced: '(search: int, match: int, added: Names, by: Replacing) -> None',
} as const

/** Edits by the methods of torch.fx's Graph and Node. While a stage runs, they are recorded with the lines that made them. */
export const EDITS = {
  node_target: '(key: str, target: str) -> None',
  node_args: '(key: str, args: Values, kwargs: Named) -> None',
  node_replace: '(key: str, value: Value) -> Names',
  node_input: '(key: str, old: str, new: Value) -> None',
  node_move: '(key: str, after: str | None) -> None',
  node_erase: '(key: str) -> None',
  node_create:
    '(op: str, target: str, args: Values, kwargs: Named, name: str | None, point: Point, number: int | None, type_text: str | None, place: Place) -> str',
  graph_dead_code: '(number: int | None) -> bool',
  graph_become: '(number: int) -> None',
} as const

const OTHERS = {
  op: '(name: str, args: Values, kwargs: Named, place: Place) -> Value',
  constant: '(dtype: str, shape: Dims, device: str, index: int | None, data: Value, place: Place) -> Value',
  sym: '(target: str, args: Values, hints: Named) -> Value',
  define: '(namespace: str, schema: str, overwrite: bool) -> None',
  fake: '(op: str, fn: int) -> None',
  decompositions: '(absent: Names, registered: Names, custom: Decompositions) -> int',
  fwd_only: '(fn: int, names: Names, args: Values, options: TraceOptions) -> int',
  new_pass: '(name: str | None) -> int',
  apply: '(pass_id: int, number: int | None, classes: Classes) -> int',
  register: '(pass_id: int, registration: Registration) -> Json',
  register_graph: '(pass_id: int, registration: GraphRegistration) -> Json',
  set_patterns: '(pass_id: int, entries: Entries) -> None',
  shown_graph: '() -> int',
  branch: '(tensors: Numbers) -> None',
  branch_end: '(made: Values, returns: str) -> Branch',
  branch_abort: '() -> None',
  samples: '(tensors: Numbers, rows: bool) -> Value',
  higher_order: '(op: str, branches: Numbers, args: Values, place: Place) -> Value',
  level: '(kind: str) -> int',
  level_end: '() -> None',
  lift: '(tensor: int, tangent: Value) -> Value',
  lowered: '(tensor: int, level: int) -> Value',
  tangent: '(tensor: int, level: int) -> Value',
  gradients: '(outputs: Numbers, inputs: Numbers, given: Values) -> Value',
  batch: '(tensor: int, dim: int, level: int) -> Value',
  unbatch: '(tensor: int, level: int, dim: int, size: Value) -> Value',
  node_rename: '(key: str, name: str, exact: bool) -> str',
  node_type: '(key: str, text: str | None) -> None',
  node_val: '(key: str, value: Value) -> None',
  node_custom: '(key: str, value: Value) -> None',
  graph_new: '() -> int',
  graph_name: '(number: int | None, candidate: str) -> str',
  match_erase: '(match: Matched) -> None',
  match_replace: '(fn: int, names: Names, args: Values, trace_fn: TraceFn, match: Matched) -> Names',
  match_replace_graph: '(number: int, args: Values, match: Matched) -> Names',
  /** A call of EDITS with the lines of user code that made it, innermost first. */
  edit: '(lines: Frames, kind: str, payload: Values) -> Json',
} as const

/** Python's calls, which the engine answers. */
export const TO_ENGINE = { ...READS, ...EDITS, ...OTHERS } as const

/** The engine's calls, which Python answers, by the phase of a run that a stub's answer in them decides. */
export const TO_PYTHON = {
  load: {
    run: '(files: Files, settings: Environment) -> Run',
    compiled: '(file: str, text: str) -> str | None',
    positions: '(on: bool) -> None',
    patch: '(file: str, text: str) -> bool',
    unpatch: '() -> None',
    edit: '(files: Texts) -> Touched',
    undo_edit: '() -> None',
    register_again: '(search: int) -> int | None',
    syntax: '(text: str) -> Syntax',
    module_names: '() -> Modules',
    callable_position: '(fn: int) -> Position',
    check_facts: '() -> Facts',
  },
  trace: {
    trace: '(fn: int, args: Values, examples: Examples) -> Traced',
    trace_by: '(trace_fn: int, fn: int, names: Names, args: Values, leading: int) -> int',
    fake: '(fn: int, args: Values, kwargs: Named) -> Value',
    decompose: '(fn: int, args: Values, kwargs: Named) -> Decomposed',
    call_torch: '(target: str, args: Values, kwargs: Named) -> Value',
    call_body: '(overload: str, args: Values, kwargs: Named) -> Value',
  },
  extra_check: { extra_check: '(fn: int, match: Match) -> Checked' },
  handler: { handle: '(fn: int, match: Match) -> None' },
  match: {
    match_user: '(fn: int, node: Value, context: int) -> Json',
    anchors_user: '(fn: int, context: int, searched: Values) -> Names',
  },
  pass: { call_pass: '(fn: int, asks: bool) -> Passed' },
  test: { tests: '() -> Tests' },
} as const

type Flat<Groups> = { [G in keyof Groups]: Groups[G] }[keyof Groups]
type Merged<U> = (U extends unknown ? (u: U) => void : never) extends (all: infer I) => void ? I : never
type ToEngine = typeof TO_ENGINE
type ToPython = Merged<Flat<typeof TO_PYTHON>>

export type EngineCall = keyof ToEngine
export type PythonCall = keyof ToPython
export type EditKind = keyof typeof EDITS
export type PythonArguments<K extends PythonCall> = ArgumentsOf<ToPython[K] & string>
export type PythonAnswer<K extends PythonCall> = AnswerOf<ToPython[K] & string>

/** The handlers of Python's calls in the engine. */
export type EngineHandlers = {
  readonly [K in EngineCall]: (...args: ArgumentsOf<ToEngine[K]>) => AnswerOf<ToEngine[K]>
}

/** The signatures of the engine's calls by kind. */
export const PYTHON_SIGNATURES = Object.assign({}, ...Object.values(TO_PYTHON)) as Readonly<Record<PythonCall, string>>

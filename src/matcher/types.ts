/** Registrations, attempts and patterns as data. */
import type { DropReason } from './reasons/drop_reason'
import type { Arg, ConstantValues, Graph, NodeOp, SourceRef, TensorMeta, Val } from '../fx'

/** Number of a Python callable that src/python holds. */
export type CallableId = number

export interface TraceOptions {
  /**
   * Number of leading arguments that are symbolic sizes: placeholders of the trace (so that sizes resolve to them
   * instead of to new sym_size nodes) that are not passed to the function.
   */
  leadingSyms?: number
  /**
   * For each argument, the index of the first argument that is the same tensor, as for two uses of a node; -1 if there
   * is none.
   */
  sameAs?: readonly number[]
  /** At registration: for each leaf of the arguments, the id of its Python tensor; null for a number. */
  examples?: readonly (number | null)[]
  /** Trace the backward pass too, as joint_fwd_bwd does. */
  joint?: boolean
  /** No fake mode is active, as in a pass before autograd: factories make real tensors. */
  unfaked?: boolean
}

/** A key of a node's meta that an extra_check read: the value's repr, or null if the node lacks the key. */
export type MetaRead = readonly [node: string, key: string, value: string | null]

/** The keys of a node's value, by the dialect of its graph. */
export const VAL_KEYS: ReadonlySet<string> = new Set(['val', 'example_value'])

/** The `return` with which an extra_check refused a match. */
export interface RefusingReturn {
  file: string
  line: number
  /** The part of its expression that is false; null if the line has several. */
  code: string | null
  /** Names in that part, with their values as Python's repr. */
  values: readonly (readonly [name: string, value: string])[]
  /** A comparison with the values in place of the names. */
  decided: string | null
  /** Symbols of these values to which the environment gives no value. Absent in old reports. */
  symbols?: readonly string[]
}

/** A check, branch or loop in user code that used a stub's answer. */
export interface StubDecision {
  module: string
  /** `config.fast`. */
  asked: string
  /** The source line, with its text. */
  source: SourceRef | null
  /** The stub's answer as Python's repr, `no items` for a loop. */
  answer: string
  /** The running code: the files being loaded, a traced function, an extra_check, … */
  phase: 'load' | 'trace' | 'extra_check' | 'handler' | 'pass' | 'match' | 'test'
}

/** A Python exception: type, message and only the frames of user code, innermost last. */
export class PythonError extends Error {
  constructor(
    readonly pythonType: string,
    message: string,
    readonly frames: readonly SourceRef[],
  ) {
    super(message)
  }
}

export type Phase = 'initial' | 'specific'

/** FailedMatch's kinds; `arity` is a function_mismatch over the number of positional arguments. */
export type MismatchKind =
  | 'function_mismatch'
  | 'arity'
  | 'multiple_users'
  | 'args_structure'
  | 'constant_args'
  | 'get_attr_mismatch'
  | 'get_attr_value'
  | 'kwarg_mismatch'
  | 'repeated_pattern'
  | 'exclusive_arg'
  | 'non_list'
  | 'no_match'
  | 'no_anchor'
  /** Raised by a user-defined `_match`. */
  | 'user_match'

/** The exact location of a failed comparison; the panels show it instead of PyTorch's text. */
export interface Mismatch {
  kind: MismatchKind
  graphNode: string | null
  /** Index of the pattern node in EntryReport.nodes, if one is responsible. */
  patternNode: number | null
  /** The argument: `group_size`, `1`, `0[2]`. */
  argument: string | null
  expected: string | null
  found: string | null
}

/** One PatternExpr tried at one anchor. `reason` is PyTorch's text, byte for byte. */
export interface Attempt {
  entry: number
  phase: Phase
  node: string
  ok: boolean
  reason: string | null
  /** `reason` at the length of a report; absent in reports. */
  brief?: string
  nodes: readonly string[] | null
  /** PatternPrettyPrinter.run of the re-traced pattern, or null if it raises; specific attempts only. */
  pattern?: string | null
  mismatch?: Mismatch
  /** For a failed attempt: nodes whose operator and argument structure agreed with the pattern, in order of visit. */
  reached?: readonly string[]
  /** The reason why a successful attempt was not applied: mutation region, stream, extra_check, failed re-trace. */
  dropped?: string
  /** The same as data; `dropped` is its text. */
  dropReason?: DropReason
  /** For an attempt that an extra_check dropped: the keys of node.meta that the check read. */
  reads?: readonly MetaRead[]
  /** The same: where it returned False. */
  returned?: RefusingReturn
  /** Answers of stubs that the extra_check used, whether it passed or not. */
  stubs?: readonly StubDecision[]
}

/** Origin and name of a registration, which distinguish it from others. */
export interface RegistrationFacts {
  /** Class of the object whose method registered it, or qualified name of the function that created it. */
  title: string
  /** For a search function not created by a class: its name and location. */
  definition?: readonly [name: string, file: string, line: number] | null
  /** Registration number; a pass groups its entries by operator. */
  order?: number
  /** The lines of user code that led to the registration, as one text. */
  calls?: string
  /** The source line that called register_replacement. */
  source: SourceRef | null
  /**
   * Closure variables of the search function, and attributes of its instance, that are plain values (`quant_key`,
   * `is_e8m0`), in the user's notation: numbers and enum members as written, values of module-level variables by name
   * (`kFp8Dynamic128Sym`).
   */
  bindings: Readonly<Record<string, string>>
  /** Variables of each loop around the call, outermost first. */
  loops?: readonly (readonly (readonly [name: string, value: string])[])[]
  /** Other differences between registrations: functions, fields of objects, arguments of callers. */
  details?: Readonly<Record<string, string>>
}

/** One call of register_replacement, as sent by src/python. */
export interface Registration extends RegistrationFacts {
  search: CallableId
  /** True for a bound method: make_fx numbers its inputs. */
  searchIsBound?: boolean
  /** True for an object without code, and for a function of `*args`: make_fx wraps it, which numbers its inputs too. */
  searchIsWrapped?: boolean
  replace: CallableId
  /** Parameter names of the search function, in order. */
  argNames: readonly string[]
  /** Those of the replacement function, which receives its arguments by position; null if unknown. */
  replaceArgNames?: readonly string[] | null
  /** Metadata of the example inputs, scalars by value. */
  exampleInputs: readonly Val[]
  /** For each leaf of the example inputs, the id of its Python tensor; equal ids mean one tensor. */
  exampleIds?: readonly (number | null)[]
  extraCheck: CallableId | null
  scalarWorkaround: ReadonlyMap<string, bigint | number | boolean> | null
  exclusiveArgNames: readonly string[]
  searchFnPattern: PatternData | null
  /** Registered by gen_register_replacement: the pattern is a trace made before, so stage two does not trace again. */
  pretraced?: boolean
  skipDuplicates: boolean
  /** True for a registration that PyTorch accepted, which is not checked again. */
  accepted?: boolean
  /** Further passes that hold the entry. */
  alsoIn?: readonly number[]
  /** Set for a pattern that SubgraphMatcher searches, as replace_pattern does: no pass of Inductor's matcher holds it. */
  subgraph?: SubgraphRules
}

/** What SubgraphMatcher was given beside the pattern's graph. */
export interface SubgraphRules {
  ignoreLiterals: boolean
  /** The graph that replaces each match; null where a callback makes one, or the code searches only. */
  replacement: Graph | null
}

/** One call of register_graph_pattern: a hand-written pattern, and a handler that edits the graph. */
export interface GraphRegistration extends RegistrationFacts {
  pattern: PatternData
  extraCheck: CallableId | null
  /** Called with (match, *match.args, **match.kwargs). */
  handler: CallableId
  /** True to try it before existing entries. */
  prepend: boolean
  /** The only function it is registered at; null: all of the pattern's. */
  target?: string | null
}

/** The line that made the pattern, and the overrides of a user-defined pattern class. */
export interface UserPatternData {
  at?: readonly [file: string, line: number]
  /** Name of the class. */
  className?: string
  /** Its own `__repr__` of the pattern. */
  repr?: string
  /** Its own `_match`. */
  match?: CallableId
  /** Its own `find_anchor_nodes`. */
  anchors?: CallableId
}

/** A PatternExpr written in Python (CallFunction(…), KeywordArg(…)), as data. `ref` shares an object by identity. */
export type PatternData = UserPatternData & PatternKindData
type PatternKindData =
  | { expr: 'User'; id: number; op: NodeOp | null; fns: readonly string[] | null }
  | { expr: 'Arg' | 'ExclusiveKeywordArg' | 'KeywordArg' | 'Ignored'; id: number; name?: string }
  | {
      expr:
        | 'CallFunction'
        | 'CallMethod'
        | 'CallModule'
        | 'CallFunctionVarArgs'
        | 'CallMethodVarArgs'
        | 'CallModuleVarArgs'
      id: number
      /** In the form of Node.target; the matcher adds the overloads of a packet (`aten.add`). */
      fns: readonly string[]
      args: readonly PatternArgData[]
      kwargs: readonly (readonly [string, PatternArgData])[]
      /** 'MULTIPLE' or a count. */
      users: number | 'MULTIPLE'
    }
  | {
      expr: 'GetAttr'
      id: number
      value: TensorMeta | null
      constant: ConstantValues | null
      users: number | 'MULTIPLE'
    }
  | { expr: 'ListOf'; id: number; pattern: PatternData; partial: boolean }
  | { expr: 'MultiOutputPattern'; id: number; outputs: readonly (PatternData | null)[] }
  | { expr: 'RepeatedExpr'; id: number; pattern: PatternData }
  | { expr: 'ref'; id: number }

export type PatternArgData =
  | { pattern: PatternData }
  | { list: readonly PatternArgData[] }
  | { tuple: readonly PatternArgData[] }
  | { dict: readonly (readonly [string, PatternArgData])[] }
  | { value: Arg }

/** An entry of a run: its number, its pattern's text and repr, and its targets, one per registration. */
export interface RegisteredEntry {
  number: number
  text: string
  repr: string
  targets: readonly (readonly [op: string, target: string])[]
}

/** The contents of a pass: by op and target, entries in the order in which they are tried. */
export type PatternTable = readonly (readonly [
  op: string,
  target: string,
  entries: readonly (readonly [number: number, text: string, repr: string])[],
])[]
export type EntryTable = readonly (readonly [op: string, target: string, entries: readonly number[]])[]

/**
 * The glossary: a term of the matcher in one or two sentences, and the step of a lesson that shows it on a live graph.
 * Reason for length: one table.
 */
import type { Cause } from '../protocol'

export interface GlossaryTerm {
  /** Heading, and text of links to it. */
  term: string
  text: string
  /** An example to open. */
  lesson: string
  step: string
}

export const GLOSSARY = {
  anchor: {
    term: 'anchor',
    text: 'The graph node at which an attempt starts: it has the operator of the pattern’s first output. The match continues backwards from it.',
    lesson: 'by-hand',
    step: 'anchor',
  },
  aotAutograd: {
    term: 'AOTAutograd',
    text: 'The part of torch.compile that traces a model to aten operators and removes mutation. Post-grad passes run on its result.',
    lesson: 'functionalized',
    step: 'kernels',
  },
  attempt: {
    term: 'attempt',
    text: 'One pattern tried at one anchor, in stage one or stage two.',
    lesson: 'by-hand',
    step: 'matches',
  },
  axis: {
    term: 'axis',
    text: 'A parameter in which registrations of one search function differ, such as the group size. Its values multiply the variants.',
    lesson: 'variants',
    step: 'combinations',
  },
  callFunction: {
    term: 'CallFunction',
    text: 'A pattern part that matches a call of an operator, with a pattern for each argument. CallMethod and CallModule are the same for methods and modules.',
    lesson: 'pattern-expr',
    step: 'call-function',
  },
  cause: {
    term: 'cause',
    text: 'One typed reason why a pattern does not fire at an anchor: both sides of the difference, and where they are.',
    lesson: 'by-hand',
    step: 'fails',
  },
  decomposition: {
    term: 'decomposition',
    text: 'An operator replaced by simpler ones before the pass sees the graph. Patterns are decomposed by the same table.',
    lesson: 'aten',
    step: 'five-nodes',
  },
  entry: {
    term: 'entry',
    text: 'One registered pattern of a pass, as the matcher tries it. One registration can add several.',
    lesson: 'variants',
    step: 'combinations',
  },
  environment: {
    term: 'environment',
    text: 'The simulated platform, dtype, token count and flags that the code queries. The answers decide which patterns are registered.',
    lesson: 'guards',
    step: 'nothing',
  },
  escape: {
    term: 'escaping value',
    text: 'An intermediate value of a match that a node outside uses too. A replacement would not provide it, so the attempt fails.',
    lesson: 'users',
    step: 'escape',
  },
  exampleInputs: {
    term: 'example inputs',
    text: 'The tensors with which a search function is traced at registration. Their dtypes decide which nodes the pattern has.',
    lesson: 'aten',
    step: 'dtypes',
  },
  extraCheck: {
    term: 'extra_check',
    text: 'A function of the user that accepts or rejects a match after both stages, for example by its shapes.',
    lesson: 'guards',
    step: 'extra-check',
  },
  fakeTensor: {
    term: 'fake tensor',
    text: 'A tensor with shape, strides, dtype and device, and without data. Patterns are traced with fake tensors.',
    lesson: 'constants',
    step: 'twice',
  },
  fwdOnly: {
    term: 'fwd_only',
    text: 'The trace function for inference: it traces the forward pass with Inductor’s decompositions. joint_fwd_bwd traces the backward pass too.',
    lesson: 'aten',
    step: 'same-way',
  },
  fxGraph: {
    term: 'FX graph',
    text: 'A list of nodes in the order in which they run: name, op, target, arguments. It is what a pass sees of a model.',
    lesson: 'fx-graph',
    step: 'nodes',
  },
  functionalized: {
    term: 'functionalized',
    text: 'A mutating call wrapped in auto_functionalized (af): it returns what the operator would have written. Version 1 and version 2 are different operators.',
    lesson: 'functionalized',
    step: 'returns',
  },
  getitem: {
    term: 'getitem',
    text: 'The node that takes one item of an operator’s several results. Its index is compared in both stages.',
    lesson: 'lists',
    step: 'index',
  },
  handler: {
    term: 'handler',
    text: 'A function that gets each match of a hand-written pattern and edits the graph itself. Its parameters are the bound arguments.',
    lesson: 'pattern-expr',
    step: 'keyword-arg',
  },
  ignored: {
    term: 'Ignored',
    text: 'A pattern part that matches anything and binds nothing. Stage one has it in place of each int, float, list, dtype and device.',
    lesson: 'pattern-expr',
    step: 'ignored',
  },
  keywordArg: {
    term: 'KeywordArg',
    text: 'A pattern part that matches anything and binds it to a name: a parameter of the search function.',
    lesson: 'pattern-expr',
    step: 'keyword-arg',
  },
  lint: {
    term: 'lint',
    text: 'A warning about a pattern that fires, for example one whose rewrite changes the values.',
    lesson: 'guards',
    step: 'extra-check',
  },
  lowering: {
    term: 'lowering',
    text: 'The step of Inductor that turns nodes into loops and kernels. Passes run before it.',
    lesson: 'functionalized',
    step: 'kernels',
  },
  metaVal: {
    term: 'meta val',
    text: 'The fake tensor in node.meta[“val”]: the shape, strides and dtype of the result of a node.',
    lesson: 'real-dump',
    step: 'line',
  },
  multiOutput: {
    term: 'MultiOutputPattern',
    text: 'A pattern with several outputs: a list of trees that share nodes. The matcher starts at the first and finds the others.',
    lesson: 'outputs',
    step: 'two-results',
  },
  mutationRegion: {
    term: 'mutation region',
    text: 'The nodes from one write to the next. A match whose nodes are in two regions is dropped without a message.',
    lesson: 'mutation-regions',
    step: 'write',
  },
  nearMiss: {
    term: 'near miss',
    text: 'An anchor at which part of a pattern aligns with the graph, and something differs.',
    lesson: 'by-hand',
    step: 'fails',
  },
  output: {
    term: 'output of a pattern',
    text: 'A value that the search function returns. The replacement provides it; its number of users is not checked.',
    lesson: 'outputs',
    step: 'survive',
  },
  overload: {
    term: 'overload',
    text: 'One of several signatures of an operator, such as add.Tensor and add.Scalar. The matcher compares overloads exactly.',
    lesson: 'fx-graph',
    step: 'targets',
  },
  pass: {
    term: 'post-grad pass',
    text: 'A function that edits the graph after AOTAutograd, such as PatternMatcherPass.apply. It runs once per compiled graph.',
    lesson: 'fx-graph',
    step: 'nodes',
  },
  patternExpr: {
    term: 'PatternExpr',
    text: 'A part of a pattern as the matcher holds it: CallFunction, KeywordArg, Ignored and others. The parts are a tree with its root at the output.',
    lesson: 'pattern-expr',
    step: 'call-function',
  },
  position: {
    term: 'operand order',
    text: 'Arguments are compared by position. The matcher does not know that an operator is commutative.',
    lesson: 'by-hand',
    step: 'position',
  },
  referenceDevice: {
    term: 'reference device',
    text: 'The definitions of the operators, run on the CPU. Kernels and rewrites are compared with it.',
    lesson: 'numbers',
    step: 'rounding',
  },
  registration: {
    term: 'registration',
    text: 'One call of register_replacement or of a decorator. Its entry in a pass is tried in the order of registration.',
    lesson: 'guards',
    step: 'nothing',
  },
  replacement: {
    term: 'replacement',
    text: 'The function whose trace takes the place of a match. It returns the same outputs, in the same order.',
    lesson: 'replacement',
    step: 'match',
  },
  replaceByExample: {
    term: 'replace_by_example',
    text: 'A method of a match: traces a function with the shapes of the match and puts its nodes in place of the matched ones.',
    lesson: 'pattern-expr',
    step: 'keyword-arg',
  },
  scalarWorkaround: {
    term: 'scalar_workaround',
    text: 'Values for scalar parameters of a search function, so that tracing keeps them as arguments and not as constants.',
    lesson: 'variants',
    step: 'missing',
  },
  stageOne: {
    term: 'stage one',
    text: 'The initial attempt: the pattern as traced at registration, in which numbers, lists, dtypes and devices are wildcards.',
    lesson: 'constants',
    step: 'ignore',
  },
  stageTwo: {
    term: 'stage two',
    text: 'The specific attempt: the search function traced again with the shapes of the match, every constant compared.',
    lesson: 'constants',
    step: 'answers',
  },
  stub: {
    term: 'stub',
    text: 'A placeholder for a module or attribute that Fusescope lacks. The Console lists each one that the code used.',
    lesson: 'guards',
    step: 'question',
  },
  tma: {
    term: 'TMA',
    text: 'The copy unit of Hopper GPUs. It needs aligned rows, so scales that it reads are padded.',
    lesson: 'variants',
    step: 'combinations',
  },
  tracing: {
    term: 'tracing',
    text: 'Running a Python function on fake tensors and recording each operator call as a node. Control flow and shapes become constants.',
    lesson: 'aten',
    step: 'five-nodes',
  },
  ue8m0: {
    term: 'ue8m0',
    text: 'Also called e8m0: a scale of eight exponent bits, so a power of two. Scaling is exact, and up to half of the FP8 range is lost.',
    lesson: 'numbers',
    step: 'loses',
  },
  users: {
    term: 'users',
    text: 'The distinct nodes that have a node as an argument, the output included. An intermediate must have as many as in the pattern.',
    lesson: 'users',
    step: 'counts',
  },
  variant: {
    term: 'variant',
    text: 'One of several registrations of a search function, one for each combination of its options.',
    lesson: 'variants',
    step: 'eight',
  },
  violation: {
    term: 'violation',
    text: 'An invariant of the graph that a rewrite breaks, such as metadata that no longer holds.',
    lesson: 'replacement',
    step: 'names',
  },
} as const satisfies Record<string, GlossaryTerm>

export type TermId = keyof typeof GLOSSARY

export const isTerm = (id: string): id is TermId => id in GLOSSARY

/** The term that explains a kind of cause. */
export const CAUSE_TERMS: Partial<Record<Cause['kind'], TermId>> = {
  arity: 'callFunction',
  constant: 'stageTwo',
  decomposed: 'decomposition',
  'duplicate-pattern': 'registration',
  'escaping-intermediate': 'escape',
  'example-inputs': 'exampleInputs',
  'exclusive-argument': 'scalarWorkaround',
  'extra-check': 'extraCheck',
  factory: 'stageTwo',
  functionalization: 'functionalized',
  'getitem-index': 'getitem',
  'graph-level': 'decomposition',
  'inserted-node': 'nearMiss',
  'kwarg-conflict': 'keywordArg',
  'kwarg-extra': 'callFunction',
  'kwarg-missing': 'callFunction',
  'kwarg-order': 'functionalized',
  'missing-node': 'nearMiss',
  'mutation-barrier': 'mutationRegion',
  'not-registered': 'registration',
  'operand-order': 'position',
  'output-unused': 'output',
  'repeated-argument': 'keywordArg',
  'replacement-error': 'replacement',
  'retrace-error': 'stageTwo',
  'root-absent': 'anchor',
  'stream-barrier': 'mutationRegion',
  structure: 'patternExpr',
  'symbolic-shape': 'stageTwo',
  taken: 'entry',
  'unknown-shape': 'metaVal',
  'unused-argument': 'keywordArg',
  'wrong-operator': 'callFunction',
  'wrong-overload': 'overload',
}

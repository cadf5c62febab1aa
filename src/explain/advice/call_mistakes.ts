/** Exceptions of calls that register patterns, and of the functions that are registered. */
import { count } from '../../base/english'
import type { Mistake } from './types'

const REPLACEMENT = 'register_replacement(search, replace, example_inputs, fwd_only, patterns)'

export const CALL_MISTAKES: readonly Mistake[] = [
  [
    /^TypeError: register_replacement\(\) missing .*'pass_dicts'/,
    `Write ${REPLACEMENT}: the trace function is the fourth argument and the PatternMatcherPass the fifth.`,
  ],
  [/^TypeError: register_replacement\(\) missing/, `Write ${REPLACEMENT}.`],
  [
    /^TypeError: (register_(?:graph|lowering)_pattern)\(\) missing .*'pass_dict'/,
    (name) => `Write @${name}(pattern, pass_dict=patterns), where patterns is a PatternMatcherPass.`,
  ],
  [
    /^TypeError: register_replacement\(\) got an unexpected keyword argument '(\w+)'(?!.*Did you mean)/,
    (name) => `Remove ${name}: register_replacement takes extra_check, scalar_workaround and exclusive_arg_names.`,
  ],
  [
    /^TypeError: example_inputs must be a list or tuple/,
    'Write the example inputs as a list with one tensor per parameter of the search function, as [torch.empty(8, 16)].',
  ],
  [
    /^TypeError: a (?:_TensorType|type|DType|dtype) cannot be an argument of an operator/,
    'Give an example tensor instead of a type: torch.empty(8, 16).',
  ],
  [
    /^TypeError: FakeTensor\(.*\) is not a callable object/,
    'Pass the functions and not their results: register_replacement(search, replace, …), without parentheses after the names.',
  ],
  [
    /^TypeError: 'type' object is not iterable/,
    'Pass an instance and not the class: write patterns = PatternMatcherPass() and pass patterns.',
  ],
  [
    /^TypeError: '(?!type')(\w+)' object is not iterable/,
    (type) => `If this is pass_dicts, pass a PatternMatcherPass instead of a ${type}: patterns = PatternMatcherPass().`,
  ],
  [
    /^RuntimeError: Tracing expected (\d+) arguments but got (\d+) concrete arguments/,
    (takes, gets) =>
      `The function has ${count(Number(takes), 'parameter')} and gets ${count(Number(gets), 'argument')}, one per parameter of the search function: give both functions the same parameters in the same order.`,
  ],
  [
    /^TypeError: object of type 'NoneType' has no len\(\)/,
    'The replacement function returns None: return the value that replaces the pattern’s output.',
  ],
  [
    /^TypeError: (?!register_)(\w+)\(\) got (?:multiple values for|an unexpected keyword) argument '(\w+)'/,
    (handler, name) =>
      `A handler takes the match, then one parameter per KeywordArg of the pattern, by its name: def ${handler}(match, ${name}, …).`,
  ],
  [
    /^TypeError: \S+\(\) (?:takes 0 positional arguments but 1 was given|missing \d+ required positional arguments?: )/,
    'The function is called with one argument, the match: def extra_check(match) returns True or False, and match.kwargs holds the nodes by parameter name.',
  ],
  [
    /^TypeError: '(?:bool|int|NoneType|str)' object is not callable/,
    'Pass a function: extra_check=lambda match: True.',
  ],
  [
    /^KeyError: '(\w+)'$/,
    (name) =>
      `match.kwargs has one key per parameter of the search function or KeywordArg, and ${name} is none of them.`,
  ],
  [
    /^AssertionError: expected 1 output node, got (\d+)/,
    (n) =>
      `The search function returns ${n} values and the replacement another number: return one value for each, in the same order.`,
  ],
]

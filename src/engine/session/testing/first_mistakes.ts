/** Mistakes of first-time authors: their Python, and the sentence that says what to write. */

/** The graph that the patterns are written for. */
export const MISTAKES_GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", w: "f32[16]"):
        mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(x, w)
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(mul)
        return (relu,)
`

const PATTERN = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()

def search(x, w):
    return torch.relu(x * w)

def replace(x, w):
    return torch.ops.aten.mul.Tensor(torch.relu(x), w)

INPUTS = [torch.empty(8, 16), torch.empty(16)]
register_replacement(search, replace, INPUTS, fwd_only, patterns)
`
const HANDLER = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern

patterns = PatternMatcherPass()

@register_graph_pattern(CallFunction(torch.ops.aten.mul.Tensor, KeywordArg("x"), KeywordArg("w")), pass_dict=patterns)
def handler(match, x, w):
    pass
`

const changed =
  (base: string) =>
  (...edits: readonly (readonly [from: string, to: string])[]): string =>
    edits.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`no ${from}`)
      return text.replace(from, to)
    }, base)
const pattern = changed(PATTERN)
const handler = changed(HANDLER)
const inputs = (text: string): string => pattern(['[torch.empty(8, 16), torch.empty(16)]', text])
const search = (text: string): string => pattern(['return torch.relu(x * w)', text])
const checked = (text: string): string => pattern(['fwd_only, patterns)', `fwd_only, patterns, extra_check=${text})`])

/** Name, Python, and part of the report's advice. */
export const FIRST_MISTAKES: readonly (readonly [name: string, python: string, advice: string])[] = [
  ['no pass', 'import torch\n', 'write patterns = PatternMatcherPass() at the top level'],
  [
    'a pass in a class without an instance',
    pattern(
      ['patterns = PatternMatcherPass()', 'class Mine:'],
      [
        '\ndef search(x, w):',
        '    def __init__(self):\n        self.patterns = PatternMatcherPass()\n\ndef search(x, w):',
      ],
      ['register_replacement(search, replace, INPUTS, fwd_only, patterns)\n', ''],
    ),
    'create the object that holds the pass at the top level (my_pass = MyPass())',
  ],
  [
    'the matcher imported from another module',
    pattern(['torch._inductor.pattern_matcher', 'torch.fx.pattern_matcher']),
    'import PatternMatcherPass, register_replacement and fwd_only from torch._inductor.pattern_matcher',
  ],
  ['too few example inputs', inputs('[torch.empty(8, 16)]'), 'Give one example input per parameter'],
  [
    'an example input without a shape',
    inputs('[torch.empty(), torch.empty(16)]'),
    'Give the shape: torch.empty(8, 16)',
  ],
  [
    'shapes instead of example inputs',
    inputs('[(8, 16), (16,)]'),
    'an example input is torch.empty(8, 16) and not (8, 16)',
  ],
  [
    'types instead of example inputs',
    inputs('[torch.Tensor, torch.Tensor]'),
    'Give an example tensor instead of a type',
  ],
  [
    'one example input without a list',
    pattern(['INPUTS, fwd', 'torch.empty(8), fwd']),
    'Write the example inputs as a list',
  ],
  ['example inputs of different sizes', inputs('[torch.empty(8, 16), torch.empty(7)]'), 'shapes that fit together'],
  [
    'example inputs on two devices',
    inputs('[torch.empty(8, 16), torch.empty(16, device="cuda")]'),
    'Create all example inputs on one device',
  ],
  ['a misspelled operator', search('return torch.ops.aten.rellu(x * w)'), 'Did you mean torch.ops.aten.relu?'],
  ['a misspelled overload', search('return torch.ops.aten.mul.Tensr(x, w)'), 'Did you mean torch.ops.aten.mul.Tensor?'],
  ['a misspelled function', search('return torch.rellu(x * w)'), 'Did you mean torch.relu?'],
  ['a misspelled method', search('return (x * w).rellu()'), 'Did you mean relu?'],
  ['a misspelled name', search('return torch.relu(x * weight)'), 'Define weight, or make it a parameter'],
  [
    'an operator without an argument',
    search('return torch.ops.aten.mul.Tensor(x)'),
    'Add the argument other to the call',
  ],
  ['an argument of another type', search('return torch.ops.aten.mul.Tensor(x, "w")'), 'Pass a Tensor as other'],
  [
    'a search function that returns nothing',
    search('torch.relu(x * w)'),
    'return the value that the pattern ends with',
  ],
  ['a search function that returns its input', search('return x'), 'it returns its argument unchanged'],
  ['an operator in place', search('return (x * w).relu_()'), 'did you mean aten.relu.default?'],
  ['an if on a value', search('if x.sum() > 0:\n        return x\n    return x * w'), 'an if on a value'],
  ['.item()', search('return x * w.sum().item()'), 'remove .item()'],
  ['an f-string of a tensor', search('return getattr(torch, f"{x}")(w)'), 'An f-string of a tensor has no value'],
  ['a shape as a number', search('return torch.relu(x * w) / x.shape'), 'take one of them, as x.shape[-1]'],
  ['NumPy', search('return torch.relu(x * w.numpy())'), 'Use torch operators instead of NumPy'],
  ['no pass_dicts', pattern(['fwd_only, patterns)', 'fwd_only)']), 'the PatternMatcherPass the fifth'],
  [
    'the class instead of a pass',
    pattern(['fwd_only, patterns)', 'fwd_only, PatternMatcherPass)']),
    'Pass an instance',
  ],
  ['no pass_dict', handler([', pass_dict=patterns', '']), 'Write @register_graph_pattern(pattern, pass_dict=patterns)'],
  [
    'results instead of functions',
    pattern(['(search, replace,', '(search(*INPUTS), replace(*INPUTS),']),
    'Pass the functions and not their results',
  ],
  [
    'a replacement without a parameter',
    pattern([
      'def replace(x, w):\n    return torch.ops.aten.mul.Tensor(torch.relu(x), w)',
      'def replace(x):\n    return x',
    ]),
    'The function has 1 parameter and gets 2 arguments',
  ],
  [
    'a replacement with another order',
    pattern(['def replace(x, w)', 'def replace(w, x)']),
    'Give both functions the same order',
  ],
  [
    'a replacement that returns nothing',
    pattern(['return torch.ops.aten.mul.Tensor(torch.relu(x), w)', 'torch.relu(x)']),
    'return the value that replaces the pattern’s output',
  ],
  [
    'a replacement that returns one value too many',
    pattern(['return torch.ops.aten.mul.Tensor(torch.relu(x), w)', 'return torch.relu(x), w']),
    'is returned in its place',
  ],
  [
    'a parameter that the search function does not use',
    search('return torch.relu(x)'),
    'remove it from both functions and from the example inputs',
  ],
  [
    'an extra_check that returns nothing',
    pattern(
      ['\nINPUTS', '\ndef check(match):\n    match.kwargs["x"].meta["val"].dim() == 2\n\nINPUTS'],
      ['patterns)\n', 'patterns, extra_check=check)\n'],
    ),
    'write return before the condition',
  ],
  [
    'a tensor made in the search function',
    search('return torch.relu(x * w) + torch.tensor(1.0)'),
    'write the number itself (1.0)',
  ],
  [
    'search and replacement swapped',
    pattern(['(search, replace,', '(replace, search,']),
    'with the function that describes the graph first',
  ],
  [
    'a replacement with an undeclared operator',
    pattern(['torch.ops.aten.mul.Tensor(torch.relu(x), w)', 'torch.ops.my.op(x, w)']),
    'Write torch.library.define("my::op"',
  ],
  [
    'a search function with an undeclared operator',
    search('return torch.ops.my.op(x, w)'),
    'Write torch.library.define("my::op"',
  ],
  [
    'a pass class that registers nothing',
    `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass

class MyPass:
    def __init__(self):
        self.patterns = PatternMatcherPass()

    def __call__(self, graph):
        self.patterns.apply(graph)

my_pass = MyPass()
`,
    'Write register_replacement(search, replace, example_inputs, fwd_only, self.patterns) in __init__',
  ],
  ['an extra_check of no argument', checked('lambda: True'), 'def extra_check(match) returns True or False'],
  ['an extra_check of the inputs', checked('lambda x, w: True'), 'def extra_check(match) returns True or False'],
  ['an extra_check that is a value', checked('True'), 'Pass a function: extra_check=lambda match: True'],
  [
    'another key of match.kwargs',
    checked('lambda match: match.kwargs["input"]'),
    'one key per parameter of the search function',
  ],
  ['a handler without the match', handler(['(match, x, w)', '(x, w)']), 'A handler takes the match'],
  ['a handler with other names', handler(['(match, x, w)', '(match, a, b)']), 'def handler(match, x, …)'],
  [
    'one pattern registered twice',
    `${PATTERN}register_replacement(search, replace, INPUTS, fwd_only, patterns)\n`,
    'skip_duplicates=True allows it',
  ],
  [
    'a misspelled keyword',
    pattern(['patterns)', 'patterns, scalar_workarounds={})']),
    "Did you mean 'scalar_workaround'?",
  ],
  [
    'a missing module',
    pattern(['import torch\n', 'import torch\nimport acme\n'], ['torch.relu(x)', 'acme.fused_relu(x)']),
    'declare the kernel with torch.library.define',
  ],
  ['no import of torch', pattern(['import torch\n', '']), 'Write import torch at the top of the file'],
  [
    'a missing import',
    pattern([', register_replacement\n', '\n']),
    'import register_replacement at the top of the file',
  ],
  [
    'a misspelled import',
    pattern(['register_replacement\n', 'register_replacment\n']),
    'Did you mean register_replacement?',
  ],
  ['no colon', pattern(['def search(x, w):', 'def search(x, w)']), 'End the line with a colon'],
  [
    'no indentation',
    pattern(['    return torch.relu(x * w)', 'return torch.relu(x * w)']),
    'Indent the line by four spaces',
  ],
]

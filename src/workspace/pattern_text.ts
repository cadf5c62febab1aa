/**
 * Turns printed patterns into a pass: a file of PatternPrettyPrinter (torch's serialized patterns) or of vLLM's dump_patterns. The
 * expressions are Python, but nothing in the file registers a pattern.
 */

const REGISTERS = /\bregister_\w+\(|\bPatternMatcherPass\b/
const EXPRESSION =
  /\b(?:CallFunction|CallMethod|CallModule|CallFunctionVarArgs|CallMethodVarArgs|MultiOutputPattern|ListOf|RepeatedExpr)\(/
const ASSIGNED =
  /^(\w+)\s*=\s*(?:CallFunction|CallMethod|CallModule|CallFunctionVarArgs|CallMethodVarArgs|MultiOutputPattern)\(/gm

const IMPORTS = `import operator
import torch
from torch._inductor.pattern_matcher import *
aten = torch.ops.aten
prims = torch.ops.prims
`

/** A function of vLLM's dump_patterns: it returns an expression and takes no arguments. */
const FUNCTION = /^def pattern_\d+\(\):$/gm
const DUMPED = /produced by VllmPatternMatcherPass\.dump_patterns for (\w+)/

/** The text of vLLM's dump_patterns (`patterns.PASS.0.py`), whose functions of each operator have the same names. */
function ofFunctions(text: string): string | null {
  const pass = DUMPED.exec(text)?.[1]
  if (pass === undefined || REGISTERS.test(text.replace(/#.*$/gm, '')) || text.search(FUNCTION) < 0) return null
  const start = text.search(/^(?:from|import)\s/m)
  const head = `${text.slice(0, start)}import operator
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass as _Pass, register_graph_pattern as _register

# Registers the patterns below. A match is counted, and replaces nothing.
${pass} = _Pass(pass_name="${pass}")
_printed = lambda pattern: _register(pattern(), pass_dict=${pass})(lambda match, *args, **kwargs: None)

`
  return head + text.slice(start).replace(FUNCTION, '@_printed\n$&')
}

/** The text with a registration of its outermost patterns; null for text that registers patterns itself, or has none. */
export function withRegistrations(text: string): string | null {
  const printed = ofFunctions(text)
  if (printed !== null) return printed
  const code = text.replace(/#.*$/gm, '')
  // A module that defines functions or classes is code, and another file registers its patterns.
  if (REGISTERS.test(code) || !EXPRESSION.test(code) || /^\s*(?:def|class|@)\b/m.test(code)) return null
  const names = [...code.matchAll(ASSIGNED)].map((m) => m[1]!)
  // A pattern that another pattern uses is part of it.
  const roots = [...new Set(names)].filter((name) => (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length === 1)
  if (roots.length === 0) return null
  const head = /^\s*(?:from|import)\s/m.test(code) ? '' : IMPORTS
  return `${head}${text.trimEnd()}

# Registers the patterns above. A match is counted, and replaces nothing.
from torch._inductor.pattern_matcher import PatternMatcherPass as _Pass, register_graph_pattern as _register

patterns = _Pass(pass_name="patterns")
for _pattern in (${roots.join(', ')},):
    _register(_pattern, pass_dict=patterns)(lambda match, *args, **kwargs: None)
`
}

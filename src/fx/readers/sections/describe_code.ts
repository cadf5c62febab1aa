/** Describes the programs of a text without a printed graph, and says what to provide instead. */
import type { CodeBlock } from './python_blocks'
import { isScriptCode, SCRIPT_CODE, type Recognized } from './recognize'
import { bodyOf, type Section } from './section'

/** A torch.autograd.Function, which is no model. */
const OF_AUTOGRAD = /^\s*(?:class \w+\([\w.]*Function\)|def forward\(\s*ctx\b)/

const REGISTERS =
  /\b(?:register_replacement|register_graph_pattern|register_lowering_pattern|PatternMatcherPass|replace_pattern\w*|SubgraphMatcher\w*)\b/

/** True for a program that registers patterns, comments not counted. */
export const registersPatterns = (program: string): boolean => REGISTERS.test(program.replace(/#.*$/gm, ''))

/** How a source begins: `class M`, `def forward`. */
export const sourceName = ({ name, headless }: Section): string =>
  headless ? 'This function' : name === 'forward' ? 'This forward' : `The class ${name}`

/** The message for a text whose only graphs are sources; null for a text without sources. */
export function describeSources(text: string, sources: readonly Section[]): Recognized | null {
  const source = sources.find((s) => !s.headless && !OF_AUTOGRAD.test(bodyOf(text, s)))
  if (!source) return null
  if (isScriptCode(bodyOf(text, source))) return { line: source.line, column: 1, message: SCRIPT_CODE, weak: false }
  const what = source.name === 'forward' ? 'the source of a model' : `the source of a model (class ${source.name})`
  const trace =
    source.name === 'forward' ? 'torch.fx.symbolic_trace(model)' : `torch.fx.symbolic_trace(${source.name}())`
  const message = `This is ${what}, not a printed graph. Trace it first ("fusescope trace" does in the terminal), and provide what print(${trace}.graph), torch.export or torch.compile with TORCH_LOGS=post_grad_graphs prints.`
  return { line: source.line, column: 1, message, weak: false }
}

/** The message for a text that has programs but no graph; null for a text without programs. */
export function describePrograms(programs: readonly CodeBlock[]): Recognized | null {
  const patterns = programs.find((b) => registersPatterns(b.text))
  const block = patterns ?? programs[0]
  if (!block) return null
  const message = patterns
    ? 'This is Python that registers patterns, without a printed graph. Open it as a pattern file (--pattern on the command line), and provide a graph: the text of print(graph) or print_readable.'
    : 'This is Python without a printed graph. Provide what it prints: the text of print(graph) or print_readable.'
  return { line: block.line, column: 1, message, weak: false }
}

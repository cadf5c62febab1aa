/** Reads the parameters of forward in print_readable's code: placeholders, named by the first statements. */
import type { Graph } from '../graph/graph'
import type { Arg, Node } from '../graph/node'
import type { PythonValues } from './python_value'
import type { Annotation, Annotations } from './readable_annotation'
import { ScanError, skipSpaces, wordEnd } from './scan'

/** A parameter that becomes a placeholder. */
interface Parameter extends Annotation {
  target: string
  value?: Arg
  line: number
}

export class ReadableParameters {
  private list: Parameter[] = []
  private readonly renames = new Map<string, string>()

  constructor(
    private readonly text: string,
    private readonly end: number,
    private readonly values: PythonValues,
    private readonly annotations: Annotations,
  ) {}

  /**
   * Reads from after "(" to after ")". Parameters before an error are kept.
   * @param lineNow the line of the cursor
   * @throws ScanError
   */
  read(lineNow: () => number): void {
    const { text, values } = this
    while (values.peek() !== 41) {
      const start = values.pos
      while (text.charCodeAt(values.pos) === 42) values.pos++
      const stop = wordEnd(text, values.pos, this.end)
      if (stop === values.pos) throw new ScanError(values.pos, "a parameter's name")
      const target = text.slice(start, stop)
      values.pos = stop
      const parameter: Parameter = { target, val: null, type: null, line: lineNow() }
      if (values.peek() === 58) {
        values.pos++
        Object.assign(parameter, this.annotations.read())
      }
      if (values.peek() === 61) {
        values.pos++
        parameter.value = values.value()
      }
      if (target !== 'self') this.list.push(parameter)
      if (values.peek() !== 44) break
      values.pos++
    }
    values.expect(41, '"," or ")"')
  }

  /** `a, b, = fx_pytree.tree_flatten_spec(…)`: the placeholders are these, not forward's parameters. @throws ScanError */
  readFlatten(start: number, end: number, line: number): void {
    const { text, values } = this
    values.reset(start, end)
    const found: Parameter[] = []
    while (values.peek() !== 61) {
      const stop = wordEnd(text, values.pos, end)
      if (stop === values.pos) throw new ScanError(values.pos, 'a name')
      const target = text.slice(values.pos, stop)
      found.push({ target, ...this.annotations.of(target), line })
      values.pos = stop
      if (values.peek() === 44) values.pos++
    }
    values.pos++
    values.peek()
    if (!text.startsWith('fx_pytree.tree_flatten_spec(', values.pos))
      throw new ScanError(values.pos, '"fx_pytree.tree_flatten_spec("')
    this.list = found
  }

  /** `l_x_ = L_x_` before any other statement names that parameter's placeholder. */
  isRename(name: string, rhs: number, end: number): boolean {
    if (this.list.length === 0) return false
    const stop = wordEnd(this.text, rhs, end)
    const after = skipSpaces(this.text, stop, end)
    if (after < end && this.text.charCodeAt(after) !== 59) return false
    const raw = this.text.slice(rhs, stop)
    if (!this.list.some((p) => p.target.replaceAll('*', '') === raw)) return false
    this.renames.set(raw, name)
    return true
  }

  /**
   * Creates the placeholders once their names are known.
   * @param taken called with a duplicate name and its line
   */
  define(graph: Graph, names: Map<string, Arg>, taken: (name: string, line: number) => void): void {
    if (this.list.length === 0) return
    for (const p of this.list.splice(0)) {
      const raw = p.target.replaceAll('*', '')
      const name = this.renames.get(raw) ?? raw
      if (names.has(name)) {
        taken(name, p.line)
        continue
      }
      const node: Node = graph.createNamed(name, 'placeholder', p.target, p.value === undefined ? [] : [p.value])
      node.type = p.type
      node.meta = p.val ? { val: p.val, textLine: p.line } : { textLine: p.line }
      names.set(name, node)
    }
  }
}

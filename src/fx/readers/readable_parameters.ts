/** Reads the parameters of forward in print_readable's code: the placeholders, named by the first statements. */
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
  /** True once the placeholders are known: a line unpacked forward's parameters, or a statement followed. */
  private settled = false
  /** Line of the annotations for the names that the next line unpacks. */
  private declared = 0
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
      // A bare name at the very end of the text may be cut.
      const cut = values.peek() === -1 && parameter.val === null && parameter.type === null
      if (target !== 'self' && !cut) this.list.push(parameter)
      if (values.peek() !== 44) break
      values.pos++
    }
    values.expect(41, '"," or ")"')
  }

  /** `a: "f32[3]"; b: "f32[4]"; `: the line below unpacks these names. @throws ScanError */
  declare(name: string, annotation: Annotation, end: number, line: number): void {
    this.declared = line
    this.annotations.keep(name, annotation, end)
  }

  /** `a, b, = fx_pytree.tree_flatten_spec(…)`: these names are the placeholders, not forward's parameters. @throws ScanError */
  readFlatten(start: number, end: number, line: number): void {
    const { text, values } = this
    values.reset(start, end)
    const found: Parameter[] = []
    while (values.peek() !== 61) {
      // In a cut line, the names before a comma are whole.
      if (values.peek() === -1) return this.readCutFlatten(found)
      const stop = wordEnd(text, values.pos, end)
      if (stop === values.pos) throw new ScanError(values.pos, 'a name')
      const parameter: Parameter = { target: text.slice(values.pos, stop), val: null, type: null, line }
      values.pos = stop
      // torch 2.1 and older annotate the names here.
      if (values.peek() === 58) {
        values.pos++
        Object.assign(parameter, this.annotations.read())
      } else Object.assign(parameter, this.annotations.of(parameter.target))
      if (values.peek() === 44) values.pos++
      else if (values.peek() === -1) return this.readCutFlatten(found)
      found.push(parameter)
    }
    values.pos++
    values.peek()
    if (!text.startsWith('fx_pytree.tree_flatten_spec(', values.pos))
      throw new ScanError(values.pos, '"fx_pytree.tree_flatten_spec("')
    this.list = found
    this.settled = true
  }

  /** The placeholders known from a cut line. @throws ScanError always */
  private readCutFlatten(found: Parameter[]): never {
    if (this.annotations.names.length === 0) {
      this.list = found
      this.settled = true
    }
    throw new ScanError(this.values.pos, 'the rest of the line', 'a line cut in the middle')
  }

  /** Before any other statement, `l_x_ = L_x_` names that parameter's placeholder. */
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
    // Annotations without values only occur before the line that unpacks forward's parameters: that line is missing here.
    const { annotations, declared: line } = this
    if (!this.settled && annotations.names.length > 0)
      this.list = annotations.names.map((target) => ({ target, ...annotations.of(target), line }))
    this.settled = true
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

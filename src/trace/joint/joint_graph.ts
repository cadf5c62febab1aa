/**
 * The joint graph of a function, as torch._inductor.pattern_matcher.joint_fwd_bwd takes it from AOTAutograd: the inputs
 * primals_1 …, one tangents_1 … per differentiable output, the outputs, and the gradient of each input (None for one that
 * requires none).
 */
import { isFake, itemsOf, isDict, type DispatchArg, type FakeTensor } from '../../ops/fake'
import type { OpCall } from '../../ops/op_call'
import { TorchError } from '../../ops/torch_error'
import { backward, type GradNode } from './engine'
import { Tape } from './tape'
import type { JointRecorder, TapeOptions } from './types'

type Ops = Pick<OpCall, 'op' | 'call'>

export class JointTrace {
  readonly tape: Tape
  private readonly inputs: readonly DispatchArg[]
  /** The inputs that require a gradient; null for the others. */
  private readonly leaves: readonly (GradNode | null)[]

  constructor(
    private readonly recorder: JointRecorder,
    private readonly options: Omit<TapeOptions, 'alias'>,
    inputs: readonly DispatchArg[],
  ) {
    this.tape = new Tape({ ...options, alias: (made, of) => recorder.alias(made, of) })
    this.inputs = inputs
    this.leaves = inputs.map((input) => {
      if (!isFake(input)) return null
      this.tape.input(input)
      return input.meta.requiresGrad ? this.tape.leaf(input) : null
    })
  }

  /**
   * Runs the backward pass and records the output node.
   * @throws TorchError AssertionError if no output requires a gradient
   */
  finish(output: DispatchArg): void {
    const { tape, recorder, inputs, leaves } = this
    const outputs = flatten(output).map((o) => (isFake(o) ? tape.mutations.valueOf(o) : o))
    const bases: FakeTensor[] = []
    const rooted = outputRoots(tape, outputs, inputs, bases)
    const roots = [...rooted, ...bases].map((tensor, i) => {
      const { requiresGrad: _, ...meta } = tensor.meta
      const grad = this.options.dispatcher.fresh(meta)
      recorder.input(`tangents_${i + 1}`, grad)
      return { edge: tape.edgeOf(tensor)!, grad }
    })
    if (roots.length === 0) throw new TorchError('AssertionError', 'gm was not set')
    const wanted = leaves.filter((l): l is GradNode => l !== null)
    const ops = this.ops()
    const grads = tape.without(() => backward(ops, roots, wanted))
    tape.without(() => this.writeBack(ops))
    recorder.output([...outputs, ...bases, ...leaves.map((leaf) => (leaf ? grads[wanted.indexOf(leaf)]! : null))])
  }

  /** Mutated inputs that require no gradient keep their mutation, which comes after the backward pass. */
  private writeBack(ops: Ops): void {
    for (const input of this.inputs) {
      if (!isFake(input)) continue
      const now = this.tape.mutations.valueOf(input)
      if (now !== input) ops.call('aten.copy_.default', [input, now])
    }
  }

  private ops(): Ops {
    const { dispatcher } = this.options
    return {
      op: (name, ...args) => dispatcher.call(name, args) as FakeTensor,
      call: (name, args, kwargs) => dispatcher.call(name, args, kwargs),
    }
  }
}

function flatten(value: DispatchArg): DispatchArg[] {
  if (isDict(value)) return [...value.entries.values()].flatMap(flatten)
  const items = itemsOf(value)
  return items ? items.flatMap(flatten) : [value]
}

/**
 * The outputs that get a tangent (collect_metadata_analysis.py): those that require a gradient and are not a view of an input. If
 * several outputs are views of one intermediate tensor, the tensor itself becomes an output and gets the tangent.
 */
function outputRoots(
  tape: Tape,
  outputs: readonly DispatchArg[],
  inputs: readonly DispatchArg[],
  bases: FakeTensor[],
): FakeTensor[] {
  const inputStorages = new Set(inputs.filter(isFake).map((t) => t.storage))
  const tensors = outputs.filter(isFake)
  const wholeViews = (t: FakeTensor): number => tensors.filter((o) => o.storage === t.storage && !tape.isPart(o)).length
  const rooted: FakeTensor[] = []
  for (const o of tensors) {
    if (!tape.edgeOf(o)) continue
    if (inputStorages.has(o.storage)) {
      if (wholeViews(o) === 0) rooted.push(o)
      continue
    }
    const base = tape.baseOf(o)
    const aliases = tensors.filter((t) => t.storage === o.storage).length
    if (!base || !tape.edgeOf(base) || aliases === 1 || wholeViews(o) <= 1) rooted.push(o)
    else if (!tensors.includes(base) && !bases.includes(base)) bases.push(base)
  }
  return rooted
}

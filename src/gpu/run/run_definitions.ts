/** Reference results: the operators' definitions, computed on the CPU. */
import { compareCodes } from './compare'
import { gather } from '../device/host'
import { NoDefinition, runReference } from '../device/reference'
import type { RunContext } from './run_context'
import { inputBytes } from './run_inputs'
import type { Plan } from './run_plan'
import type { Comparison } from '../types'

/** Reference results of the inputs, and the locations of the unfused side's tensors. */
export interface Definitions {
  inputs: Map<string, Uint8Array>
  memory: Uint8Array[]
  outputs: DefinedOutput[]
  /** The reason why the fused side has no reference results. */
  undefinedOperator: string | null
}

/** Codes in row-major order; `fused` is null when an operator there has no definition. */
export interface DefinedOutput {
  unfused: ArrayLike<number>
  fused: ArrayLike<number> | null
  pair: Comparison | null
}

/** A user-defined operator has no definition: its side is then missing. */
export async function runDefinitions(small: Plan, context: RunContext): Promise<Definitions> {
  context.tell('reference', 'Running the definitions on the CPU', 0.05)
  await breathe()
  const { aborted } = context
  const inputs = inputBytes(small, context)
  const memory = runReference(small.unfused, inputs, aborted)
  let fused: Uint8Array[] | null = null
  let undefinedOperator: string | null = null
  try {
    fused = runReference(small.fused, inputs, aborted)
  } catch (e) {
    if (!(e instanceof NoDefinition)) throw e
    undefinedOperator = e.reason
  }
  const outputs = small.unfused.outputs.map(({ at }, i) => {
    const f = small.fused.outputs[i]!.at
    const a = gather(at.view, memory[at.slot]!)
    const b = fused && gather(f.view, fused[f.slot]!)
    return { unfused: a, fused: b, pair: b && compareCodes(at.view.dtype, at.view.shape, a, b, a) }
  })
  return { inputs, memory, outputs, undefinedOperator }
}

/** Lets a cancel message arrive before long work. */
const breathe = (): Promise<void> => new Promise((r) => setTimeout(r, 0))

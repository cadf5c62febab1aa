/** How the trace of a search function becomes the pattern of stage one. */
import type { TorchRules } from '../../base/torch_version'
import type { Val } from '../../fx'
import { INITIAL_IGNORE_TYPES, type FxToPatternOptions } from '../fx_to_pattern'
import { traceArgInfo } from '../trace_args'
import type { Registration } from '../types'

/** @param args the arguments of the trace */
export const stageOneOptions = (
  { argNames, scalarWorkaround, exclusiveArgNames, pretraced }: Registration,
  args: readonly Val[],
  rules: TorchRules,
): FxToPatternOptions => ({
  ignoreTypes: INITIAL_IGNORE_TYPES,
  argNames: rules.nestedInputs ? traceArgInfo(argNames, args).flatNames : argNames,
  scalarWorkaround,
  exclusiveArgNames: pretraced ? [] : exclusiveArgNames,
  nestedInputs: args.some((v) => v.kind === 'vals'),
  rules,
})

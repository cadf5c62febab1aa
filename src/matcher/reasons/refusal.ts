/** Errors of the matcher that explanations recognize by class and facts, never by text. */
import type { TorchRules } from '../../base/torch_version'
import { TorchError } from '../../trace/types'

/** An assertion, whose text PyTorch 2.14 brought. */
export const asserted = (text: string, rules: TorchRules): TorchError =>
  new TorchError('AssertionError', assertedText(text, rules))

const assertedText = (text: string, { assertionTexts }: TorchRules): string => (assertionTexts ? text : '')

/** A search function that traces to no operator. */
export const withoutOperator = (rules: TorchRules): RefusedRegistration =>
  new RefusedRegistration('no-operator', 'AssertionError', assertedText('obj has no pretty_print method', rules))

/** Reason why register_replacement refuses a registration. */
export type RefusalKind =
  /** The pass already has the same pattern. */
  | 'duplicate-pattern'
  /** The search function traces to no operator. */
  | 'no-operator'
  /** An output of the search function is None. */
  | 'none-output'

export class RefusedRegistration extends TorchError {
  /** @param output position of the output that is None; null: the search function returns None */
  constructor(
    readonly kind: RefusalKind,
    pythonType: string,
    message: string,
    readonly output: number | null = null,
  ) {
    super(pythonType, message)
  }
}

/** An argument of the search function that no match captures. */
export class UnusedArgument extends TorchError {
  constructor(
    readonly argument: string,
    message: string,
  ) {
    super('RuntimeError', message)
  }
}

/** Errors of the matcher that explanations recognize: by class and facts, never by their text. */
import { TorchError } from '../../trace/types'

/** Why register_replacement refuses a registration. */
export type RefusalKind =
  /** The pass has the same pattern already. */
  | 'duplicate-pattern'
  /** The search function traces to no operator. */
  | 'no-operator'

export class RefusedRegistration extends TorchError {
  constructor(
    readonly kind: RefusalKind,
    pythonType: string,
    message: string,
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

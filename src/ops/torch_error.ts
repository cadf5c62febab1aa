/** An error that is raised in Python: `RuntimeError: mat1 and mat2 shapes cannot be multiplied (…)`. */
export class TorchError extends Error {
  constructor(
    /** Python exception class: RuntimeError, TypeError, ValueError, NotImplementedError, IndexError … */
    readonly pythonType: string,
    message: string,
  ) {
    super(message)
  }
}

/** The message of a check for which PyTorch has no text. */
export const UNNAMED_CHECK =
  'Expected cond to be True, but got False. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)'

export const runtimeError = (message: string): TorchError => new TorchError('RuntimeError', message)

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

export const runtimeError = (message: string): TorchError => new TorchError('RuntimeError', message)

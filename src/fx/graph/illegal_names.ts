/**
 * Names that a node may not have without a suffix: Python's keywords and builtins, and globals of FX's generated code
 * (torch.fx.graph._illegal_names, PyTorch 2.14.1). Such a node is named `input_1`, `sum_1`, ….
 */
export const ILLEGAL_NAMES: ReadonlySet<string> = new Set(
  (
    'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError ' +
    'BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ' +
    'ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning ' +
    'EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError ' +
    'FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError ' +
    'InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ' +
    'ModuleNotFoundError NameError None NoneType NotADirectoryError NotImplemented NotImplementedError ' +
    'OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError ' +
    'PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning ' +
    'StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError ' +
    'True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError ' +
    'UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError ' +
    '_IncompleteInputError __build_class__ __debug__ __doc__ __import__ __loader__ __name__ __package__ ' +
    '__spec__ abs aiter all and anext any as ascii assert async await bin bool break breakpoint bytearray ' +
    'bytes callable chr class classmethod compile complex continue copyright credits def del delattr device ' +
    'dict dir divmod elif else enumerate eval except exec exit filter finally float for format from frozenset ' +
    'fx_pytree getattr global globals hasattr hash help hex id if import in inf input int is isinstance ' +
    'issubclass iter lambda len license list locals map max memoryview min nan next nonlocal not object oct ' +
    'open or ord pass pow print property pytree quit raise range repr return reversed round set setattr slice ' +
    'sorted staticmethod str sum super torch try tuple type vars while with yield zip'
  ).split(' '),
)

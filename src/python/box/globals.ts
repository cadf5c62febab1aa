/**
 * The globals of the engine's worker after the start: those of the language (ECMAScript), and the few platform globals that Pyodide
 * and the engine use, reduced to the functions that they call. Everything else is removed, so that a new browser API is absent
 * until it is listed here.
 */

/** The language's own globals; `eval` and `Function` compile text: one is left out, the other reduced. */
export const LANGUAGE: readonly string[] = [
  ...['globalThis', 'Infinity', 'NaN', 'undefined', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'],
  ...[
    'Object',
    'Boolean',
    'Symbol',
    'Number',
    'BigInt',
    'String',
    'RegExp',
    'Math',
    'Date',
    'JSON',
    'Intl',
    'Temporal',
  ],
  ...['Array', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'Map', 'Set', 'WeakMap', 'WeakSet'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['SuppressedError', 'DisposableStack', 'AsyncDisposableStack', 'FinalizationRegistry', 'WeakRef'],
  ...['Promise', 'Proxy', 'Reflect', 'Iterator'],
]

/** The platform's classes that stay: they convert text and bytes. */
const CLASSES = ['TextDecoder', 'TextEncoder']

type Scope = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

/** The platform's objects that stay, each reduced to the functions that are called. */
function reduced(scope: Scope): Record<string, unknown> {
  const { performance, crypto, console, WebAssembly: wasm, navigator } = scope
  return {
    performance: bare({ now: () => performance.now() as number }),
    crypto: bare({ getRandomValues: (view: unknown) => crypto.getRandomValues(view) as unknown }),
    console: bare(
      Object.fromEntries(['debug', 'error', 'info', 'log', 'warn'].map((n) => [n, console[n].bind(console)])),
    ),
    // Compilation is disabled: without Module and Instance, a .so file written by user code cannot be loaded.
    WebAssembly: bare({
      RuntimeError: wasm.RuntimeError,
      LinkError: wasm.LinkError,
      CompileError: wasm.CompileError,
      Global: wasm.Global,
      Table: wasm.Table,
      Exception: wasm.Exception,
      Tag: wasm.Tag,
      Suspending: wasm.Suspending,
    }),
    // Pyodide calls Function.prototype.apply.
    Function: bare(
      Object.defineProperty(
        () => {
          throw new EvalError('text is not compiled here')
        },
        'prototype',
        { value: Object.getPrototypeOf(Object) as object },
      ),
    ),
    navigator: bare({ hardwareConcurrency: navigator.hardwareConcurrency as number }),
    // Emscripten calls them for setitimer. A run is synchronous, so no timer would fire in it.
    setTimeout: bare(() => 0),
    clearTimeout: bare(() => undefined),
  }
}

/** Without a prototype, nothing else can be reached from it. */
function bare<T extends object>(object: T): T {
  if (typeof object !== 'function') for (const value of Object.values(object)) if (isOwn(value)) bare(value)
  return Object.freeze(Object.setPrototypeOf(object, null) as T)
}

/** A function defined here, not a class of the platform. */
const isOwn = (value: unknown): value is object => typeof value === 'function' && !('prototype' in value)

/** The names that remain on the global scope. */
export const KEPT_GLOBALS: ReadonlySet<string> = new Set([
  ...LANGUAGE,
  ...CLASSES,
  ...['performance', 'crypto', 'console', 'WebAssembly', 'navigator', 'setTimeout', 'clearTimeout', 'Function'],
])

/**
 * Leaves only KEPT_GLOBALS on the scope and its prototypes, as constants, and prevents additions.
 * @returns the names that could not be removed; empty in every tested browser
 */
export function lockGlobals(scope: object): string[] {
  const platform = reduced(scope as Scope)
  const values = new Map<string, unknown>(
    [...LANGUAGE, ...CLASSES].filter((name) => name in scope).map((name) => [name, (scope as Scope)[name]]),
  )
  for (const [name, value] of Object.entries(platform)) values.set(name, value)
  const left: string[] = []
  const end = Object.prototype
  for (let at: object | null = scope; at && at !== end; at = Object.getPrototypeOf(at) as object | null)
    for (const key of Reflect.ownKeys(at))
      if (!(at === scope && values.has(key as string)) && !Reflect.deleteProperty(at, key)) hide(at, key, left)
  for (const [name, value] of values) {
    const own = Object.getOwnPropertyDescriptor(scope, name)
    if (!own || own.configurable)
      Object.defineProperty(scope, name, { value, enumerable: false, writable: false, configurable: false })
  }
  Object.preventExtensions(scope)
  return left.filter((name) => !KEPT_GLOBALS.has(name))
}

/** A property that cannot be deleted: a number of the platform, or the language's constants. */
function hide(at: object, key: PropertyKey, left: string[]): void {
  const own = Object.getOwnPropertyDescriptor(at, key)
  if (own && 'value' in own && (typeof own.value !== 'object' || own.value === null) && typeof own.value !== 'function')
    return
  left.push(String(key))
}

/**
 * Attacks on the locked worker by code that has escaped from Python and runs as JavaScript. Each returns what it gained; undefined,
 * false or an exception means that the lock held. `{}` stands for any object that Python might hold.
 */
type Attack = readonly [name: string, run: () => unknown]

const object = {} as any // oxlint-disable-line typescript/no-explicit-any
const scope = globalThis as any // oxlint-disable-line typescript/no-explicit-any
const symbol = Symbol('probe')

/** Names that must be absent: each reaches the network, storage, another page, the GPU, or compiles text. */
const ABSENT = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'importScripts'],
  ...['RTCPeerConnection', 'RTCDataChannel', 'BackgroundFetchManager', 'PushManager', 'Request', 'Response', 'Headers'],
  ...[
    'FontFace',
    'FontFaceSet',
    'fonts',
    'Worker',
    'SharedWorker',
    'BroadcastChannel',
    'MessageChannel',
    'MessagePort',
  ],
  ...['indexedDB', 'IDBFactory', 'caches', 'CacheStorage', 'cookieStore', 'StorageManager', 'FileSystemFileHandle'],
  ...['webkitRequestFileSystem', 'webkitRequestFileSystemSync', 'FileReader', 'FileReaderSync', 'Blob', 'File', 'URL'],
  ...['OffscreenCanvas', 'WebGLRenderingContext', 'WebGL2RenderingContext', 'createImageBitmap', 'ImageDecoder', 'GPU'],
  ...['GPUDevice', 'VideoDecoder', 'postMessage', 'close', 'onmessage', 'onerror', 'addEventListener', 'dispatchEvent'],
  ...['Event', 'EventTarget', 'MessageEvent', 'self', 'location', 'origin', 'isSecureContext', 'trustedTypes'],
  ...['setInterval', 'queueMicrotask', 'requestAnimationFrame', 'scheduler', 'reportError', 'structuredClone', 'name'],
  ...['eval', 'Notification', 'ServiceWorkerRegistration', 'Lock', 'LockManager', 'USB', 'HID', 'Serial'],
  ...['PerformanceObserver', 'ReportingObserver', 'CompressionStream', 'ReadableStream', 'AbortController', 'Intl_'],
]

/** Prototypes and constructors that must be constant. */
const FROZEN: readonly (readonly [string, object])[] = [
  ...[
    'Object',
    'Function',
    'Array',
    'String',
    'Number',
    'Boolean',
    'RegExp',
    'Date',
    'Promise',
    'Map',
    'Set',
    'Error',
  ].map((n) => [`${n}.prototype`, n === 'Function' ? Object.getPrototypeOf(Object) : scope[n].prototype] as const),
  ...[
    'Uint8Array',
    'Int32Array',
    'DataView',
    'ArrayBuffer',
    'WeakMap',
    'WeakRef',
    'FinalizationRegistry',
    'Symbol',
  ].map((n) => [`${n}.prototype`, scope[n].prototype] as const),
  ...[
    'Object',
    'Array',
    'Promise',
    'JSON',
    'Math',
    'Reflect',
    'Proxy',
    'Symbol',
    'Error',
    'String',
    'Intl',
    'Atomics',
  ].map((n) => [n, scope[n]] as const),
  ...['TextDecoder', 'TextEncoder'].map((n) => [`${n}.prototype`, scope[n].prototype] as const),
  ['%TypedArray%.prototype', Object.getPrototypeOf(Int8Array.prototype) as object],
  ['%ArrayIteratorPrototype%', Object.getPrototypeOf([][Symbol.iterator]()) as object],
  ['%GeneratorPrototype%', Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())) as object],
  ['%AsyncFunction.prototype%', Object.getPrototypeOf(async () => {}) as object],
]

/** Ways to compile text without naming eval or Function. */
const compilers = (): Attack[] =>
  Object.entries({
    'a function': () => {},
    'an async function': async () => {},
    'a generator': function* () {},
    'an async generator': async function* () {},
    'a method of an object': object.toString,
    'a class': class {},
    'a built-in class': Error,
    'an accessor': Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!,
    'a bound function': (() => {}).bind(null),
  }).map(([name, f]) => [`the constructor of ${name}`, () => (f as any).constructor('return 1')()]) // oxlint-disable-line typescript/no-explicit-any

export const SCRIPT_ATTACKS: readonly Attack[] = [
  ...ABSENT.map((name): Attack => [`the global ${name}`, () => scope[name]]),
  ...ABSENT.map((name): Attack => [`define ${name} again`, () => Reflect.set(scope, name, 1) && scope[name]]),
  ...compilers(),
  ...FROZEN.flatMap(([name, target]): Attack[] => [
    [`add to ${name}`, () => Reflect.defineProperty(target, symbol, { get: () => 1, configurable: true })],
    [
      `replace a property of ${name}`,
      () => Reflect.ownKeys(target).some((key) => Reflect.defineProperty(target, key, { value: symbol })),
    ],
    [`the prototype of ${name}`, () => Object.getPrototypeOf(target) && Reflect.setPrototypeOf(target, { symbol })],
  ]),
  [
    'a getter on Object.prototype by __defineGetter__',
    () => (object.__proto__.__defineGetter__('x', () => 1), object.x),
  ],
  ['a setter on Object.prototype through assignment', () => ((object.__proto__.toString = symbol), 0)],
  [
    'Error.prepareStackTrace',
    () => ((scope.Error.prepareStackTrace = () => symbol), new Error().stack === (symbol as unknown)),
  ],
  [
    'Error.captureStackTrace with a getter',
    () => Reflect.defineProperty(Error, 'prepareStackTrace', { value: () => 1 }),
  ],
  ['JSON.parse', () => ((JSON.parse = () => symbol), true)],
  ['JSON.stringify through toJSON', () => Reflect.defineProperty(Object.prototype, 'toJSON', { value: () => 1 })],
  ['thenables through Object.prototype', () => Reflect.defineProperty(Object.prototype, 'then', { value: () => 1 })],
  ['the scope of a sloppy function', () => Reflect.ownKeys(object.valueOf.call(scope)).includes('fetch')],
  ['the prototype of the scope', () => Reflect.setPrototypeOf(scope, { fetch: 1 })],
  ['EventTarget from the scope', () => Object.getPrototypeOf(scope).constructor?.prototype?.dispatchEvent],
  ['a getter on the scope', () => Reflect.defineProperty(scope, 'probe', { get: () => 1 })],
  ['Function compiles', () => scope.Function('return 1')()],
  ['new Function', () => new scope.Function('return 1')()],
  ['WebAssembly.Module', () => new scope.WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))],
  ['WebAssembly.instantiate', () => scope.WebAssembly.instantiate],
  ['the class of crypto', () => Object.getPrototypeOf(scope.crypto)],
  ['crypto.subtle', () => scope.crypto.subtle],
  ['performance.getEntries', () => scope.performance.getEntries ?? scope.performance.mark],
  ['the class of performance', () => Object.getPrototypeOf(scope.performance)],
  ['navigator.gpu', () => scope.navigator.gpu ?? scope.navigator.storage ?? scope.navigator.sendBeacon],
  ['the class of navigator', () => Object.getPrototypeOf(scope.navigator)],
  ['console.context', () => scope.console.context ?? scope.console.profile ?? scope.console.memory],
  ['the constructor of console.log', () => scope.console.log.constructor],
  ['a timer', () => (scope.setTimeout(() => 1, 0) as number) > 0],
  ['a timer of text', () => scope.setTimeout('1', 0)],
]

/**
 * Names of the attacks that gained something. Uses indices, because in an open worker the attacks replace array iterators and
 * methods on which destructuring and loops in Firefox rely.
 */
export function gains(): string[] {
  const names: string[] = []
  for (let i = 0; i < SCRIPT_ATTACKS.length; i++) {
    const attack = SCRIPT_ATTACKS[i]!
    try {
      const gained = attack[1]()
      if (gained !== undefined && gained !== false && gained !== null && gained !== 0) names[names.length] = attack[0]
    } catch {
      continue
    }
  }
  return names
}

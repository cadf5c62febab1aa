/**
 * Locks down the worker once Python has loaded: removes access to the network, storage and other pages from the global
 * scope and its prototypes. The page's Content-Security-Policy (no unsafe-eval, connect-src 'self') complements it:
 * without eval, code that obtains a JS function cannot create a new one.
 */
const GONE = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'WebTransport',
  'importScripts',
  'Worker',
  'SharedWorker',
  'indexedDB',
  'caches',
  'BroadcastChannel',
  'MessageChannel',
  'Notification',
  'cookieStore',
  'FileReader',
  'FileReaderSync',
  'RTCPeerConnection',
  'Request',
  'Response',
  'open',
  'close',
  'postMessage',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
  'webkitResolveLocalFileSystemURL',
  'onmessage',
]
const GONE_FROM_NAVIGATOR = [
  'storage',
  'sendBeacon',
  'serviceWorker',
  'locks',
  'gpu',
  'usb',
  'serial',
  'hid',
  'permissions',
  'mediaCapabilities',
  'storageBuckets',
  'connection',
  'userAgentData',
]

/** @param keep names the caller still needs on the scope itself (it holds the rest in closures) */
export function lockDownWorker(scope: object, keep: readonly string[] = ['onmessage']): void {
  for (const name of GONE) if (!keep.includes(name)) remove(scope, name)
  const navigator = (scope as { navigator?: object }).navigator
  if (navigator) for (const name of GONE_FROM_NAVIGATOR) remove(navigator, name)
}

/** Makes `name` permanently undefined on an object and wherever its prototype chain defines it. */
function remove(object: object, name: string): void {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at) as object | null) {
    if (at !== object && !Object.hasOwn(at, name)) continue
    try {
      Object.defineProperty(at, name, { value: undefined, writable: false, configurable: false })
    } catch {
      // Not configurable: the own property defined first already hides it.
    }
  }
}

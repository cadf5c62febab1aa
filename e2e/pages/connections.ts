/** Ways out of a worker while every global of a browser is there: what the policy of the box must refuse. */

const own = (path: string): string => new URL(path, self.location.origin).href
/** The same server under another name. */
const other = (path: string): string => own(path).replace('//127.0.0.1', '//localhost')

/** Connections that the policy must refuse; each resolves only if it connected. */
export const CONNECTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  fetch: () => fetch(own('/index.html?leak')),
  'fetch of a data URL': () => fetch('data:,x'),
  XMLHttpRequest: () =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.onload = resolve
      request.onerror = reject
      request.open('GET', own('/index.html?leak'))
      request.send()
    }),
  WebSocket: () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(own('/leak').replace('http', 'ws'))
      socket.onopen = resolve
      socket.onerror = reject
    }),
  EventSource: () =>
    new Promise((resolve, reject) => {
      const source = new EventSource(own('/leak'))
      source.onopen = resolve
      source.onerror = reject
    }),
  WebTransport: () => new WebTransport(`https://${self.location.host}/leak`).ready,
  'import of another host': () => imported(other('/load.js?leak')),
  'import of data': () => imported('data:text/javascript,1'),
  'a worker of another host': () => worker(other('/load.js?leak')),
  'a worker of data': () => worker('data:text/javascript,postMessage(1)'),
  'importScripts in a worker of a blob': () => blobWorker(`importScripts('${other('/load.js?leak')}')`),
  'fetch in a worker of a blob': () => blobWorker(`await fetch('${own('/index.html?leak')}')`),
  WebRTC: async () => new (Reflect.get(self, 'RTCPeerConnection') as new () => object)(),
  sendBeacon: async () => {
    if (!(Reflect.get(navigator, 'sendBeacon') as (url: string) => boolean).call(navigator, own('/leak'))) throw Error()
  },
  'Cache Storage': async () => (await caches.open('leak')).add(own('/index.html?leak')),
  'background fetch': () =>
    (
      Reflect.get(self, 'registration') as { backgroundFetch: { fetch(id: string, url: string): Promise<unknown> } }
    ).backgroundFetch.fetch('leak', own('/leak')),
  'an image': async () => new (Reflect.get(self, 'Image') as new () => object)(),
  FontFace: () => new FontFace('leak', `url(${own('/leak.ttf')})`).load(),
  'FontFace of data': () => new FontFace('leak', 'url(data:font/ttf;base64,AAEAAAA=)').load(),
  eval: async () => (Reflect.get(self, 'eval') as (text: string) => unknown)('1'),
  Function: async () => Function('return 1')() as unknown,
}

const imported = (url: string): Promise<unknown> => import(/* @vite-ignore */ url)

/** Resolves if the worker says that it gained something. */
const worker = (url: string, type: WorkerType = 'module'): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const started = new Worker(url, { type })
    started.onmessage = ({ data }) => (data === 'refused' ? reject : resolve)(data)
    started.onerror = reject
  })

const blobWorker = (code: string): Promise<unknown> => {
  const text = `(async () => { ${code} })().then(() => postMessage('gained'), () => postMessage('refused'))`
  return worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), 'classic')
}

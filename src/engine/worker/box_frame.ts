/**
 * The hidden frame that starts the engine's worker. A worker that starts from a `blob:` URL inherits the policy of the
 * document that starts it, on any static host; the page's own policy must allow it to connect and to load fonts. So a
 * frame with a stricter policy starts the worker: nothing in it can connect, load a font, or compile text.
 */
export const BOX_POLICY =
  // worker-src 'self': the import in the blob counts as the script of a worker.
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:"

let frame: Promise<Window & typeof globalThis> | null = null

function openFrame(): Promise<Window & typeof globalThis> {
  const element = document.createElement('iframe')
  element.hidden = true
  element.title = 'Engine'
  element.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${BOX_POLICY}">`
  return new Promise((resolve) => {
    element.addEventListener('load', () => resolve(element.contentWindow as Window & typeof globalThis), { once: true })
    document.documentElement.append(element)
  })
}

/**
 * Starts a module worker under the frame's policy.
 * @param url of its script, on the page's host
 */
export async function startInBox(url: string, name: string): Promise<Worker> {
  const { Blob: FrameBlob, URL: FrameURL, Worker: FrameWorker } = await (frame ??= openFrame())
  const blob = new FrameBlob([startOf(url)], { type: 'text/javascript' })
  // Never revoked: the worker reads it later, and it is one line long.
  return new FrameWorker(FrameURL.createObjectURL(blob), { type: 'module', name })
}

/**
 * Imports the script dynamically, because browsers keep compiled code of such scripts only, not of a worker's static
 * imports: compiling the engine takes as long as starting Python. Messages that arrive meanwhile are handled in order
 * once it has run. A script that cannot be loaded is an error of the worker; a rejected promise would be none.
 */
const startOf = (url: string): string => `const early = []
self.onmessage = (e) => early.push(e)
import(${JSON.stringify(url)}).then(
  () => early.forEach((e) => self.onmessage(e)),
  (error) => setTimeout(() => { throw error }),
)`

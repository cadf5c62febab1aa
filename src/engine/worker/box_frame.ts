/**
 * The hidden frame that starts the engine's worker. A worker that starts from a `blob:` URL inherits the policy of the
 * document that starts it, on any static host; the page's own policy must allow it to connect and to load fonts. So a
 * frame with a stricter policy starts the worker: nothing in it can connect, load a font, or compile text. The frame has an
 * address of its own (public/box.html), because Firefox refuses the import of a worker that starts in a `srcdoc` document.
 */
import { Renewable } from '../../base/memoize'

const frame = new Renewable(openFrame)

function openFrame(address: string): Promise<Window & typeof globalThis> {
  const element = document.createElement('iframe')
  element.hidden = true
  element.title = 'Engine'
  element.src = address
  return new Promise((resolve, reject) => {
    const loaded = (): void => {
      const inside = element.contentWindow as Window & typeof globalThis
      // Without the document there is no policy: user code does not run.
      if (holdsBox(element)) resolve(inside)
      else reject(new Error('box.html, in which the engine starts, could not be loaded from this host.'))
    }
    element.addEventListener('load', loaded, { once: true })
    document.documentElement.append(element)
  })
}

/** A host may answer with a page of its own where it has no such file. */
function holdsBox({ contentDocument }: HTMLIFrameElement): boolean {
  return contentDocument?.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('data-box') === ''
}

/**
 * Starts a module worker under the frame's policy.
 * @param url of its script, on the page's host
 * @param box the address of public/box.html
 * @param onBegin called once the worker runs, when its start no longer needs this thread
 */
export async function startInBox(url: string, name: string, box: string, onBegin = (): void => {}): Promise<Worker> {
  const { Blob: FrameBlob, URL: FrameURL, Worker: FrameWorker } = await frame.get(box)
  const blob = new FrameBlob([startOf(url)], { type: 'text/javascript' })
  // Never revoked: the worker reads it later, and it is only one line long.
  const worker = new FrameWorker(FrameURL.createObjectURL(blob), { type: 'module', name })
  const begins = (first: Event): void => {
    first.stopImmediatePropagation()
    onBegin()
  }
  worker.addEventListener('message', begins, { once: true })
  return worker
}

/**
 * Imports the script dynamically, because browsers cache compiled code only for such scripts, not for a worker's static imports:
 * compiling the engine takes as long as starting Python. Messages that arrive meanwhile are handled in order once it has run. A
 * failed import is rethrown as an error of the worker, because a rejected promise would not be one.
 */
const startOf = (url: string): string => `self.postMessage(null)
const early = []
self.onmessage = (e) => early.push(e)
import(${JSON.stringify(url)}).then(
  () => early.forEach((e) => self.onmessage(e)),
  (error) => setTimeout(() => { throw error }),
)`

/** Starts a worker in the box, as the app starts the engine's, and leaves as JSON in #result what attacks gained. */
import { startInBox } from '../../src/engine/worker/box_frame'
import workerUrl from './box.worker?worker&url'

const answers = ['open', 'box'].map(async (name) => {
  const worker = await startInBox(new URL(workerUrl, document.baseURI).href, name, '/box.html')
  return new Promise<object>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<object>) => resolve(data)
    worker.onerror = ({ message }) => resolve({ error: `${name}: ${message}` })
  })
})
document.getElementById('result')!.textContent = JSON.stringify(Object.assign({}, ...(await Promise.all(answers))))

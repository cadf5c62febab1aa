/** Runs a match on the GPU: its programs come from the engine, the device lives in a worker of its own. */
import type { GpuClient } from '../../gpu'
import { useGpu, type MatchKey } from '../stores/gpu'
import { useRun } from '../stores/run'
import { engine, messageOf } from './runner'

let client: GpuClient | null = null
let current: AbortController | null = null

export async function runMatch(of: MatchKey, title: string): Promise<void> {
  current?.abort()
  const mine = (current = new AbortController())
  const { tokens, distribution } = useGpu.getState()
  useGpu.setState({
    running: true,
    of,
    report: null,
    failure: null,
    progress: { stage: 'prepare', text: `Preparing ${title}`, fraction: 0 },
  })
  try {
    // The engine knows the matches of its own last run only: a stored report's come with the first live one.
    await settled()
    const programs = await (await engine()).program(of.pass, of.match)
    const gpu = await import('../../gpu')
    client ??= new gpu.GpuClient()
    mine.signal.throwIfAborted()
    const report = await client.run(
      programs,
      { distribution, ...(tokens === null ? {} : { tokens }) },
      { signal: mine.signal, onProgress: (progress) => current === mine && useGpu.setState({ progress }) },
    )
    if (current === mine) useGpu.setState({ running: false, progress: null, report })
  } catch (e) {
    if (current === mine) useGpu.setState({ running: false, progress: null, failure: messageOf(e) })
  }
}

export function cancelGpuRun(): void {
  current?.abort()
  current = null
  useGpu.setState({ running: false, progress: null, failure: 'Cancelled. Press Run to start again.' })
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (!useRun.getState().running) return resolve()
    const stop = useRun.subscribe((s) => {
      if (s.running) return
      stop()
      resolve()
    })
  })
}

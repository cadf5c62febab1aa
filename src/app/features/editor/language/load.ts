/** Loads the language facts from the engine, on first use and again after a run that may have declared operators. */
import { create } from 'zustand'
import { Renewable } from '../../../../base/memoize'
import type { Report } from '../../../../engine/protocol'
import { engine } from '../../../session/runner'
import { runEnded, useRun } from '../../../session/run_store'
import { TorchNames } from './torch_names'

/** The newest names, and the report that they were loaded after. */
const useNames = create<{ names: TorchNames | null; after: Report | null }>(() => ({ names: null, after: null }))

const loading = new Renewable(() => request().finally(() => loading.forget()))

/** Loads the names of the newest report unless they are loaded. After a failure the old names stay. */
export function loadTorchNames(): Promise<TorchNames | null> {
  const report = useRun.getState().result.value
  const { names, after } = useNames.getState()
  if (names && after === report) return Promise.resolve(names)
  const newer = loading.get()
  // Names of an earlier run answer at once; the newer ones arrive for the next request.
  return names ? Promise.resolve(names) : newer
}

async function request(): Promise<TorchNames | null> {
  try {
    await runEnded()
    const report = useRun.getState().result.value
    const facts = await (await engine()).language()
    useNames.setState({ names: new TorchNames(facts), after: report })
  } catch {
    // The engine stopped: the next request uses a new engine.
  }
  return useNames.getState().names
}

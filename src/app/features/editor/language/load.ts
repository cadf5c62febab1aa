/** Loads the facts of the language from the engine, on first use and again after a run that may have declared operators. */
import { engine } from '../../../session/runner'
import { runEnded, useRun } from '../../../session/run_store'
import { TorchNames } from './torch_names'

let names: TorchNames | null = null
let loading: Promise<TorchNames | null> | null = null
/** The report that the names were loaded after. */
let loadedAfter: unknown

/** The newest names; null until they are loaded. */
export const torchNames = (): TorchNames | null => names

/** Loads the names unless those of the newest report are there. A failure leaves the old ones. */
export function loadTorchNames(): Promise<TorchNames | null> {
  const { report } = useRun.getState()
  if (names && loadedAfter === report) return Promise.resolve(names)
  loading ??= request().finally(() => {
    loading = null
  })
  // Names of an earlier run answer at once; the newer ones arrive for the next request.
  return names ? Promise.resolve(names) : loading
}

async function request(): Promise<TorchNames | null> {
  try {
    await runEnded()
    const { report } = useRun.getState()
    const facts = await (await engine()).language()
    names = new TorchNames(facts)
    loadedAfter = report
  } catch {
    // The engine stopped: the next request asks the next one.
  }
  return names
}

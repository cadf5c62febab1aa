/** User kernels: checked after each edit, created from a skeleton. */
import { useGpu } from './store'
import { isHeld, useRun } from '../../session/run_store'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { gpuClient, kernelFiles } from './gpu_runs'
import { messageOf } from '../../../base/error_message'
import type { OpenPart } from '../../session/session'

/** Pause between the last keystroke and a compilation, in ms. */
const PAUSE_MS = 300

/** Compiles the `.wgsl` files after each edit and keeps their errors. Kernels of a link wait for consent. */
export const kernelChecksPart: OpenPart = (session) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let checked = '[]'
  const check = (): void => {
    const files = isHeld(useRun.getState()) ? [] : kernelFiles()
    const key = JSON.stringify(files)
    if (key === checked) return
    checked = key
    const signal = session.only('kernel check')
    clearTimeout(timer)
    if (files.length === 0) return useGpu.setState({ kernelProblems: [] })
    timer = setTimeout(() => {
      void gpuClient()
        .then((gpu) => gpu.check(files))
        .then((kernelProblems) => {
          if (!signal.aborted) useGpu.setState({ kernelProblems })
        })
        // A check that fails gives no information about the text; the run reports the error.
        .catch(() => undefined)
    }, PAUSE_MS)
  }
  check()
  return { onEdit: check, onConsent: check, dispose: () => clearTimeout(timer) }
}

/** Opens the kernel of an operator, or a skeleton of one. @param op qualified name, with or without overload */
export async function writeKernel(op: string): Promise<void> {
  const name = op.split('.').slice(0, 2).join('.')
  const { workspace, open, addFile } = useWorkspace.getState()
  const known = workspace.files.find((f) => f.name.endsWith('.wgsl') && f.text.includes(`op: ${name}`))
  if (known) return open(known.name)
  try {
    const { kernelTemplate } = await import('../../../gpu')
    addFile(`${name.split('.')[1]}.wgsl`, kernelTemplate(name))
  } catch (e) {
    toast(`The skeleton could not be loaded: ${messageOf(e)}`, { tone: 'bad' })
  }
}

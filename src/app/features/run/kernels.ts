/** Kernels of the person's own: checked while they are written, and begun from a skeleton. */
import { useGpu } from './store'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { gpuClient, kernelFiles } from './live'
import { messageOf } from '../../../base/error_message'

/** Pause after the last keystroke before the compiler is asked, in ms. */
const PAUSE_MS = 300

/** Marks what is wrong in `.wgsl` files from now on. A stranger's are left alone until their code may run. */
export function watchKernels(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let seen = ''
  const look = (): void => {
    const files = useRun.getState().consent === 'asked' ? [] : kernelFiles()
    const key = JSON.stringify(files)
    if (key === seen) return
    seen = key
    clearTimeout(timer)
    if (files.length === 0) return useGpu.setState({ kernelProblems: [] })
    timer = setTimeout(() => {
      void gpuClient()
        .then((gpu) => gpu.check(files))
        .then((kernelProblems) => seen === key && useGpu.setState({ kernelProblems }))
        // A check that fails says nothing about the text; the run will.
        .catch(() => undefined)
    }, PAUSE_MS)
  }
  useWorkspace.subscribe((now, before) => now.version !== before.version && look())
  useRun.subscribe((now, before) => now.consent !== before.consent && look())
  look()
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
    useView.getState().toast(`The skeleton could not be loaded: ${messageOf(e)}`, { tone: 'bad' })
  }
}

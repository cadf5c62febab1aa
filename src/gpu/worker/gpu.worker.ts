/** A separate Web Worker for the GPU: long runs and a lost device never affect the page or the engine. */
import { messageOf } from '../../base/error_message'
import { runPrograms, takeKernels } from '../run/run'
import { runGraph } from '../run/run_graph'
import { runOp } from '../run/run_op'
import { loseGpu, openGpu } from '../device/open_gpu'
import type { GpuReply, GpuRequest } from './client'
import type { Problem } from '../../fx'
import type { KernelFile } from '../user_kernels/kernel_header'
import { draftOf, ownKernels } from '../user_kernels/user_kernel'

/** Without WebGPU, only the headers are checked. */
async function checkKernels(files: readonly KernelFile[]): Promise<Problem[]> {
  const { problems } = ownKernels(files)
  const { gpu } = await openGpu()
  if (!gpu) return problems
  for (const file of files) {
    const draft = draftOf(file)
    if (draft !== null) problems.push(...(await gpu.problems(file.name, draft, file.text.split('\n').length)))
  }
  return problems
}

const running = new Map<number, AbortController>()
const reply = (message: GpuReply): void => self.postMessage(message)

self.onmessage = (event: MessageEvent<GpuRequest>): void => {
  const request = event.data
  if (request.kind === 'cancel') running.get(request.id)?.abort()
  else if (request.kind === 'op') void op(request)
  else if (request.kind === 'check') void check(request)
  else if (request.kind === 'lose') void loseGpu()
  else void run(request)
}

async function op({ id, request }: Extract<GpuRequest, { kind: 'op' }>): Promise<void> {
  try {
    // User kernels belong to runs, which bound them.
    takeKernels([])
    reply({ id, kind: 'result', result: await runOp(request) })
  } catch (e) {
    reply({ id, kind: 'failed', message: messageOf(e) })
  }
}

async function check({ id, files }: Extract<GpuRequest, { kind: 'check' }>): Promise<void> {
  try {
    reply({ id, kind: 'checked', problems: await checkKernels(files) })
  } catch (e) {
    reply({ id, kind: 'failed', message: messageOf(e) })
  }
}

async function run({ id, programs, options }: Extract<GpuRequest, { kind: 'run' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const report = await (options.whole ? runGraph : runPrograms)(
      programs,
      options,
      (progress) => reply({ id, kind: 'progress', progress }),
      controller.signal,
    )
    reply({ id, kind: 'report', report })
  } catch (e) {
    reply({ id, kind: 'failed', message: messageOf(e) })
  } finally {
    running.delete(id)
  }
}

/** Opens one device for all runs, and a new one after it was lost. */
import { Renewable } from '../../base/memoize'
import { Gpu } from './webgpu'

const opened = new Renewable(() => Gpu.open())

/** Null, with the reason, if there is no WebGPU. */
export async function openGpu(): ReturnType<typeof Gpu.open> {
  const before = opened.held()
  const held = await before?.catch(() => null)
  // Another call may have opened a new device meanwhile.
  if (held && (!held.gpu || held.gpu.lost) && opened.held() === before) opened.forget()
  return opened.get()
}

type Found = Awaited<ReturnType<typeof Gpu.open>>

/** Runs `work` on the device that runs without user kernels share. */
export const onSharedGpu = async (work: (found: Found) => Promise<void>): Promise<void> => work(await openGpu())

/** Runs `work` on a separate device, which is destroyed afterwards: effects of a user's kernel on the device end with it. */
export async function onOwnGpu(work: (found: Found) => Promise<void>): Promise<void> {
  const found = await Gpu.open()
  try {
    await work(found)
  } finally {
    found.gpu?.device.destroy()
  }
}

/** Destroys the open device, which simulates a driver reset. */
export async function loseGpu(): Promise<void> {
  const held = await opened.held()?.catch(() => null)
  held?.gpu?.device.destroy()
}

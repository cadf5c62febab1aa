/** Opens one device for all runs, and a new one after it was lost. */
import { Gpu } from './webgpu'

let opened: ReturnType<typeof Gpu.open> | null = null

/** Null, with the reason, if there is no WebGPU. */
export async function openGpu(): ReturnType<typeof Gpu.open> {
  const held = await opened?.catch(() => null)
  if (!held || !held.gpu || held.gpu.lost) opened = Gpu.open()
  return opened!
}

/** Destroys the open device, which simulates a driver reset. */
export async function loseGpu(): Promise<void> {
  const held = await opened?.catch(() => null)
  held?.gpu?.device.destroy()
}

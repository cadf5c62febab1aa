export { GpuClient, spawnGpuWorker, type RunCall } from './client'
export { runPrograms } from './run'
export type * from './types'

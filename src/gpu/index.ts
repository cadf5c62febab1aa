export { GpuClient, spawnGpuWorker, type RunCall } from './client'
export { runPrograms } from './run'
export { runOp, type OpRequest, type OpResult, type OpTensor } from './run_op'
export type * from './types'

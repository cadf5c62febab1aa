export * from './types'
export { createTracer, TracerImpl } from './tracer'

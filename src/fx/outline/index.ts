export { outlineOf } from './outline'
export * from './types'

export { indexedOutlineOf, outlineOf } from './outline'
export * from './types'

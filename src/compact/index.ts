export { deflate, inflate } from './deflate'
export * from './document'
export type { Json } from './json_rows'
export { CodeError } from './range_coder'

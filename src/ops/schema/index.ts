export * from './types'
export * from './parse'
export * from './catalog'
export * from './versions'

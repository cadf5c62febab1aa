/** Reads JSON of unknown form: a value of another form reads as absent. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Fields = { readonly [key: string]: Json }

export const isFields = (v: Json | undefined): v is { [key: string]: Json } =>
  typeof v === 'object' && v !== null && !Array.isArray(v)
export const fields = (v: Json | undefined): Fields => (isFields(v) ? v : {})
export const list = (v: Json | undefined): readonly Json[] => (Array.isArray(v) ? v : [])
export const text = (v: Json | undefined): string | null => (typeof v === 'string' ? v : null)
export const number = (v: Json | undefined): number | null => (typeof v === 'number' ? v : null)

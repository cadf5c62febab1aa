/** Checks the form of data that crosses from Python, because user code can patch the Python that creates it. */
export type Check = (value: unknown) => boolean

export const anything: Check = (v) => v !== undefined
export const nothing: Check = (v) => v === null
export const text: Check = (v) => typeof v === 'string'
export const flag: Check = (v) => typeof v === 'boolean'
export const count: Check = (v) => Number.isSafeInteger(v)
export const array: Check = (v) => Array.isArray(v)
export const object: Check = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)
export const nullable =
  (check: Check): Check =>
  (v) =>
    v === null || check(v)
export const optional =
  (check: Check): Check =>
  (v) =>
    v === undefined || v === null || check(v)
export const list =
  (check: Check): Check =>
  (v) =>
    Array.isArray(v) && v.every(check)
export const tuple =
  (...checks: readonly Check[]): Check =>
  (v) =>
    Array.isArray(v) && v.length >= checks.length && checks.every((check, i) => check(v[i]))
export const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (v) =>
    typeof v === 'object' && v !== null && Object.entries(checks).every(([k, check]) => check((v as never)[k]))

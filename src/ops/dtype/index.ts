export { DTYPES, dtypeInfo, type DTypeInfo, type DTypeName } from './dtypes'
export { bitsOf, codeDistance, decode, decodeTable, encode, fromBits, roundAll, roundTo } from './convert'
export { decodeFn, encodeFn, lanes, roundFn } from './wgsl'

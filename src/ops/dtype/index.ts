export { DTYPES, dtypeInfo, type DTypeInfo, type DTypeName } from './dtypes'
export { bitsOf, codeDistance, decode, decodeTable, encode, fromBits, roundTo } from './convert'
export { decodeFn, encodeFn, lanes, quantizedFn, roundFn, type Float8 } from './wgsl'

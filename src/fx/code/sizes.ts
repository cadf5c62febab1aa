/**
 * Sizes that may be written as Python: expressions over symbols and ints, with only the functions that an exported script can
 * evaluate.
 */
import { parseSym } from '../sym'

/** lib/_fusescope/exported/sizes.py. */
const FUNCTIONS = /^(?:Max|Min|FloorDiv|CleanDiv|Mod|PythonMod)$/

const isSymbol = (text: string): boolean => /^[a-z]{1,4}\d{1,9}$/.test(text)

/** True for sums, products, quotients and powers of symbols and ints, and calls of the functions above. */
export const isSize = (text: string): boolean =>
  !/\d[.e]/.test(text) && parseSym(text, (name, called) => (called ? FUNCTIONS.test(name) : isSymbol(name))) !== null

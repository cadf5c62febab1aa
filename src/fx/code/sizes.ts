/** Sizes that may become Python: expressions over symbols and ints, of functions that an exported script evaluates. */
import { parseSym } from '../sym'

/** lib/_fusescope/exported/sizes.py. */
const FUNCTIONS = /^(?:Max|Min|FloorDiv|CleanDiv|Mod|PythonMod)$/

const isSymbol = (text: string): boolean => /^[a-z]{1,4}\d{1,9}$/.test(text)

/** True for sums, products, quotients and powers of symbols and ints, and calls of the functions above. */
export const isSize = (text: string): boolean =>
  !/\d[.e]/.test(text) && parseSym(text, (name, called) => (called ? FUNCTIONS.test(name) : isSymbol(name))) !== null

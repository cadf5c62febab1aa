/** Removes C modules from CPython's table of built-in modules, so that no import finds them again. */

/** The parts of Emscripten's module that are used. */
export interface WasmModule {
  HEAPU32: Uint32Array
  /** The address of the pointer to the table: pairs of a name and a function, ended by a null name. */
  _PyImport_Inittab: number
  UTF8ToString(address: number): string
}

/**
 * Modules that read or write memory, call native functions or load native code: each leads from Python to the functions that
 * Emscripten imports from JavaScript. `_imp`, `gc` and `posix` are loaded already, without the parts that boot.ts deletes.
 */
export const UNSAFE_MODULES: ReadonlySet<string> = new Set([
  ...[
    '_ctypes',
    '_imp',
    '_pyodide_core',
    'gc',
    'posix',
    '_remote_debugging',
    '_testbuffer',
    '_testcapi',
    '_testclinic',
  ],
  ...['_testclinic_limited', '_testinternalcapi', '_testlimitedcapi', '_xxtestfuzz', 'xxsubtype'],
])

/** CPython copies the table at its start, and Pyodide extends it: every copy is edited. */
export function removeUnsafeModules({ HEAPU32: words, _PyImport_Inittab: pointer, UTF8ToString }: WasmModule): void {
  const table = words[pointer >>> 2]! >>> 2
  const [a, b, c, d] = words.subarray(table, table + 4)
  const starts: number[] = []
  for (let at = words.indexOf(a!); at >= 0; at = words.indexOf(a!, at + 1))
    if (words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) starts.push(at)
  for (const start of starts) {
    let kept = start
    for (let at = start; words[at] !== 0; at += 2) {
      if (UNSAFE_MODULES.has(UTF8ToString(words[at]!))) continue
      words[kept] = words[at]!
      words[kept + 1] = words[at + 1]!
      kept += 2
    }
    words[kept] = words[kept + 1] = 0
  }
}

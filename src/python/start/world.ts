/**
 * The state of a running Pyodide, saved once after the start and restored before each run. All of Python (modules, builtins, hooks,
 * the C heap) is in the WebAssembly memory, so copying the bytes back undoes everything that user code did. Files, streams and
 * timers are in Emscripten's JavaScript.
 */
import { FileTree, type EmscriptenFS, type MemoryFiles, type Pipes } from './file_tree'
import type { PythonAssets } from '../types'

/** The parts of Pyodide's Emscripten module that are used; none is documented (pyodide 314.0). */
export interface PyodideModule {
  HEAPU8: Uint8Array
  memory: WebAssembly.Memory
  FS: EmscriptenFS
  MEMFS: MemoryFiles
  PIPEFS: Pipes
  /** Made-up addresses of the names that were looked up. */
  DNS: { address_map: { id: number; addrs: object; names: object } }
  SOCKFS?: { websocket_sock_ops?: Record<string, unknown> }
  /** Timers of setitimer, by number. */
  timers: Record<string, unknown>
  __setitimer_js(which: number, ms: number): number
  _sbrk(bytes: number): number
  /** The lowest address of the stack, which grows down. */
  _emscripten_stack_get_end(): number
  stackSave(): number
  stackRestore(pointer: number): void
  /** The table of the JavaScript objects that Python holds. @throws RangeError or RuntimeError past its end */
  __hiwire_get(index: number): unknown
  __hiwire_set(index: number, value: unknown): number
}

export class World {
  private readonly memory: Uint8Array
  private readonly objects: readonly unknown[]
  private readonly files: FileTree
  private readonly stack: number

  /** @param spare memory for the copy, if it is large enough: allocating 31 MB takes a tenth of the start */
  constructor(
    private readonly module: PyodideModule,
    { late, lib }: Pick<PythonAssets, 'late' | 'lib'>,
    spare: Uint8Array | null,
  ) {
    limitMemory(module.memory)
    this.memory = copied(module, spare)
    this.objects = heldObjects(module)
    this.files = new FileTree(module.FS, module.MEMFS, module.PIPEFS)
    if (late) this.files.expect(late)
    this.files.holdTexts(lib, late)
    forgetNames(module)
    this.stack = module.stackSave()
  }

  /** Must not be called while Python runs. */
  restore(): void {
    const { module } = this
    for (const which of Object.keys(module.timers)) module.__setitimer_js(Number(which), 0)
    const used = module._sbrk(0)
    // The memory cannot shrink, so the grown part is cleared.
    if (used > this.memory.length) module.HEAPU8.fill(0, this.memory.length, used)
    // A third of the memory is unused stack.
    module.HEAPU8.set(this.memory.subarray(0, module._emscripten_stack_get_end()))
    module.HEAPU8.set(this.memory.subarray(this.stack), this.stack)
    module.stackRestore(this.stack)
    this.objects.forEach((object, i) => module.__hiwire_set(i, object))
    this.files.restore()
    forgetNames(module)
  }
}

/** The memory up to at least its used end: the rest is zero. */
function copied({ HEAPU8, _sbrk }: PyodideModule, spare: Uint8Array | null): Uint8Array {
  if (!spare || spare.length < _sbrk(0)) return HEAPU8.slice()
  spare.set(HEAPU8.subarray(0, spare.length))
  return spare
}

/** Objects without a prototype: a name such as `__proto__` is a name like any other. */
function forgetNames({ DNS }: PyodideModule): void {
  DNS.address_map = { id: 1, addrs: Object.create(null) as object, names: Object.create(null) as object }
}

/** Beyond it, Python raises MemoryError: a tab whose memory runs out would crash. */
const MAX_MEMORY = 1024 ** 3
const PAGE = 65536

function limitMemory(memory: WebAssembly.Memory): void {
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > MAX_MEMORY) throw new RangeError('Python has 1 GiB of memory')
    return grow(pages)
  }
}

function heldObjects(module: PyodideModule): unknown[] {
  const objects: unknown[] = []
  try {
    for (let i = 0; ; i++) objects.push(module.__hiwire_get(i))
  } catch {
    return objects
  }
}

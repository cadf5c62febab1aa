/**
 * Freezes the language's intrinsic objects: prototypes, constructors and namespaces. User code then cannot make the worker's code
 * act for it, by a getter on Object.prototype or a replaced method (JSON.parse, Array.prototype.push).
 */

/** Intrinsics that are reachable through no global name. */
function unnamed(): object[] {
  const generator = function* (): Generator {}
  const asyncGenerator = async function* (): AsyncGenerator {}
  const proto = (o: object): object => Object.getPrototypeOf(o) as object
  return [
    proto(generator),
    proto(asyncGenerator),
    proto(async () => {}),
    proto(proto(Int8Array.prototype)),
    proto([][Symbol.iterator]()),
    proto(''[Symbol.iterator]()),
    proto(new Map()[Symbol.iterator]()),
    proto(new Set()[Symbol.iterator]()),
    proto(/x/[Symbol.matchAll]('')),
    proto(generator()),
    proto(asyncGenerator()),
  ]
}

/** Every intrinsic that the names lead to, through properties, accessors and prototypes. */
function reachable(roots: readonly unknown[]): Set<object> {
  const found = new Set<object>()
  const todo = [...roots]
  while (todo.length > 0) {
    const at = todo.pop()
    if ((typeof at !== 'object' && typeof at !== 'function') || at === null || at === globalThis || found.has(at))
      continue
    found.add(at)
    todo.push(Object.getPrototypeOf(at))
    for (const own of Object.values(Object.getOwnPropertyDescriptors(at)) as PropertyDescriptor[])
      todo.push(own.value, own.get, own.set)
    for (const key of Object.getOwnPropertySymbols(at)) {
      const own = Object.getOwnPropertyDescriptor(at, key)!
      todo.push(own.value, own.get, own.set)
    }
  }
  return found
}

/**
 * Properties that libraries assign on their own objects (`error.name = …`). An object whose prototype has a constant of
 * that name refuses the assignment, so each becomes an accessor that defines the property on the object instead.
 */
const ASSIGNED: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [Object.prototype, ['constructor', 'toString', 'valueOf']],
  [Function.prototype, ['toString']],
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
    ({ prototype }) => [prototype, ['name', 'message', 'toString']] as const,
  ),
]

function allowAssignment(prototype: object, name: string): void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  if (!own?.configurable || !('value' in own)) return
  const { value } = own as { value: unknown }
  Object.defineProperty(prototype, name, {
    get: () => value,
    set(this: object, assigned: unknown) {
      if (this === prototype) throw new TypeError(`${name} is constant`)
      Object.defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true })
    },
    enumerable: own.enumerable,
    configurable: false,
  })
}

/** The constructors of functions compile text, so no function may lead to them. */
function hideFunctionConstructors(): void {
  const kinds = [function () {}, function* () {}, async function () {}, async function* () {}]
  for (const kind of kinds)
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined, writable: false })
}

/** @param roots the global values to start from */
export function freezeIntrinsics(roots: readonly unknown[]): void {
  const hidden = unnamed()
  hideFunctionConstructors()
  const all = reachable([...roots, ...hidden])
  for (const [prototype, names] of ASSIGNED) for (const name of names) allowAssignment(prototype, name)
  for (const object of all) Object.freeze(object)
}

/**
 * Orders a kernel's expressions into statements: an expression that is used twice, or is invariant in a loop, gets a name in the
 * outermost loop that allows it.
 */
import type { Expr, Fold, Store } from './expr'

export type Statement =
  | { readonly type: 'let'; readonly node: Expr }
  | { readonly type: 'fold'; readonly fold: Fold; readonly body: readonly Statement[] }
  | { readonly type: 'store'; readonly store: Store }

/** @param last folds whose iterations store results, and stores, in order */
export function schedule(last: readonly (Store | Fold)[]): Statement[] {
  const uses = new Map<Expr, number>()
  const count = (e: Expr): void => {
    const seen = uses.get(e) ?? 0
    uses.set(e, seen + 1)
    if (seen === 0) partsOf(e).forEach(count)
  }
  for (const s of last) (isStore(s) ? partsOfStore(s) : partsOfFold(s)).forEach(count)

  const placed = new Set<Expr | Fold>()
  const statements: Statement[] = []
  const open: { fold: Fold | null; statements: Statement[] }[] = [{ fold: null, statements }]
  const scope = (scopes: ReadonlySet<Fold>): Statement[] =>
    open.findLast((s) => s.fold === null || scopes.has(s.fold))!.statements
  const place = (e: Expr): void => {
    if (placed.has(e)) return
    placed.add(e)
    if (e.op.type === 'result') return placeFold(e.op.fold)
    e.args.forEach(place)
    const { fold } = open.at(-1)!
    const named = uses.get(e)! > 1 || (fold !== null && !e.scopes.has(fold))
    if (named && (e.op.type === 'apply' || e.op.type === 'load')) scope(e.scopes).push({ type: 'let', node: e })
  }
  const placeFold = (fold: Fold): void => {
    if (placed.has(fold)) return
    placed.add(fold)
    for (const e of [fold.count, ...fold.init]) place(e)
    const body: Statement[] = []
    open.push({ fold, statements: body })
    fold.next.forEach(place)
    fold.stores.forEach(placeStore)
    open.pop()
    scope(fold.scopes).push({ type: 'fold', fold, body })
  }
  const placeStore = (store: Store): void => {
    partsOfStore(store).forEach(place)
    open.at(-1)!.statements.push({ type: 'store', store })
  }
  for (const s of last) {
    if (isStore(s)) placeStore(s)
    else placeFold(s)
  }
  return statements
}

const isStore = (s: Store | Fold): s is Store => 'out' in s

const partsOfStore = (s: Store): Expr[] => [...s.at, s.value]

const partsOfFold = (f: Fold): Expr[] => [f.count, ...f.init, ...f.next, ...f.stores.flatMap(partsOfStore)]

const partsOf = (e: Expr): readonly Expr[] => (e.op.type === 'result' ? partsOfFold(e.op.fold) : e.args)

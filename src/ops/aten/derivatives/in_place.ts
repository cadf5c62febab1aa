/** In-place operators whose formulas read neither the old nor the new value. */
export const UNREAD: ReadonlySet<string> = new Set([
  'aten.add_.Tensor',
  'aten.add_.Scalar',
  'aten.sub_.Tensor',
  'aten.sub_.Scalar',
  'aten.neg_.default',
])

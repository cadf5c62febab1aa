/**
 * The PyTorch versions that Fusescope supports, and their differences. One table dates every rule; docs/versions.md shows each with
 * an example.
 */

/** Oldest first. Recorded cases exist for each (docs/versions.md). */
export const TORCH_VERSIONS = ['2.6', '2.13', '2.14'] as const
export type TorchVersion = (typeof TORCH_VERSIONS)[number]

export const NEWEST_TORCH: TorchVersion = '2.14'

/** The PyTorch version of an environment, for display: absent if it is the newest. */
export const olderTorch = (environment: { torch?: TorchVersion } | undefined): { torch?: TorchVersion } =>
  environment?.torch && environment.torch !== NEWEST_TORCH ? { torch: environment.torch } : {}

/** Spellings that a user may write: `2.6`, `2.6.0`, `v2.13.1`; null for an unsupported version. */
export function torchVersion(text: string): TorchVersion | null {
  const m = /^v?(\d+\.\d+)(?:[.+].*)?$/.exec(text.trim())
  return TORCH_VERSIONS.find((v) => v === m?.[1]) ?? null
}

/** The version that first had each rule. */
const SINCE = {
  /** A pattern may contain a tensor created outside its function: a get_attr node, compared by value. */
  getAttrPatterns: '2.14',
  /** The nodes of a match are on one memory pool, and new nodes inherit stream and pool. */
  memoryPools: '2.14',
  /** The nodes of a match are on one stream. */
  streams: '2.13',
  /** Nodes of a replacement that nothing uses are erased. */
  erasesDeadReplacements: '2.13',
  /** The replacement may use an output of the match that it replaces. */
  keepsOwnUses: '2.13',
  /** The replacement may hold the subgraph of a higher-order operator. */
  subgraphsInReplacements: '2.13',
  /** Regions are computed again after a replacement that adds or removes mutations. */
  refreshesRegions: '2.13',
  /** The check of a hand-written pattern returns a bool. */
  boolChecks: '2.13',
  /** Duplicates are found in one pass, by pattern and traced graph; before, in the whole process, by pattern alone. */
  duplicatesByPass: '2.13',
  /** A pattern's argument may be a list or tuple of tensors. */
  nestedInputs: '2.13',
  /** Stage two reads `example_value` of a node that has no `val`. */
  exampleValues: '2.13',
  /** Symbolic sizes are inputs of stage two if they are provably unequal; before, if their hints differ. */
  provablyUnequalSizes: '2.13',
  /** `operator.getitem` prints with its module in the text of a pattern. */
  operatorNames: '2.13',
  /** A module class is found by a path with dots. */
  nestedModules: '2.13',
  /** The function of a pattern may be a bound method. */
  boundMethods: '2.13',
  /** An exception raised by a graph node says how to see the graph. */
  tlparseHint: '2.13',
  /** If several values replace one node, they also replace its uses as a whole. */
  wholeUses: '2.13',
  /** A slice that ends at the size of its dimension is removed from a trace. */
  wholeSlices: '2.13',
  /** A view of the same shape is removed from a trace. */
  noopViews: '2.13',
  /** silu decomposes to a division, as eager code computes it; older versions use a product with sigmoid. */
  exactSilu: '2.13',
  /** addcmul and addcdiv stay one call, and lerp decomposes to one that adds with alpha. */
  fusedMultiplyAdd: '2.13',
  /** A product of a column and a row decomposes to `mul`: mm with more than 32 numbers, except on the CPU, and bmm. */
  outerProducts: '2.13',
  /** A repeated pattern does not count its own node among its siblings. */
  siblingsWithoutItself: '2.13',
  /** The arguments of a match after stage two hold the scalars that the pattern was traced with. */
  scalarsInCheck: '2.13',
  /** Dead-code elimination keeps random operators, setitem and operators with effects. */
  effectsStay: '2.13',
  /** empty_like in the usual order of dimensions has no permute. */
  plainEmptyLike: '2.13',
  /** The matcher's assertions say what they expected. */
  assertionTexts: '2.14',
  /** logit decomposes to comparisons; before, to clamp. */
  logitByWhere: '2.13',
  /** batch_norm with running statistics decomposes to rsqrt; before, to the reciprocal of sqrt. */
  rsqrtOfVariance: '2.14',
  /** rms_norm computes eps and the product with its weight in its computation dtype; before, in the input's dtype. */
  wideRms: '2.13',
  /** one_hot asserts the range of its classes. */
  checkedOneHot: '2.13',
  /** Max pooling of any rank and dilation has one prim; before, only pooling of images without dilation had one. */
  poolsOfAnyRank: '2.13',
  /** frac decomposes to trunc; before, to floor of abs times sign. */
  fracByTrunc: '2.13',
  /** ldexp is an operator; before, a product with a power of two. */
  ldexpOperator: '2.13',
  /** eye casts the comparison; before, it chooses between one and zero. */
  castEye: '2.13',
  /** cosine_similarity bounds the norms by a tensor; before, by a number. */
  tensorBounds: '2.13',
  /** silu_backward has a decomposition; before, it was traced as the calls of its C++ code. */
  siluBackward: '2.13',
  /** Three-dimensional attention, and attention with fewer key heads, uses the CPU's kernel. */
  anyAttention: '2.13',
  /** narrow_copy is contiguous; before, it keeps the order of its input in memory. */
  contiguousNarrowCopy: '2.13',
  /** On a CPU, group_norm multiplies the weight into the scale of each channel. */
  scaledGroupNorm: '2.13',
  /** Operators have no overloads by dimension names; mm, bmm, addmm and baddbmm have an overload with a dtype. */
  unnamedDimensions: '2.13',
  /** full_like and rand_like keep the memory order of the dimensions. */
  permutedLike: '2.13',
} as const satisfies Record<string, TorchVersion>

export type TorchRule = keyof typeof SINCE
export type TorchRules = Readonly<Record<TorchRule, boolean>>

/** True if `version` is `first` or newer. */
export const isSince = (version: TorchVersion, first: TorchVersion): boolean =>
  TORCH_VERSIONS.indexOf(version) >= TORCH_VERSIONS.indexOf(first)

export const rulesOf = (version: TorchVersion): TorchRules =>
  Object.fromEntries(Object.entries(SINCE).map(([rule, first]) => [rule, isSince(version, first)])) as TorchRules

export const NEWEST_RULES = rulesOf(NEWEST_TORCH)

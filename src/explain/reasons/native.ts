/** PyTorch's own operators by name; separate from the tables of operators, which the page's first screen does not load. */
export const isNative = (target: string): boolean => /^(aten|prims|operator|_operator|inductor)\./.test(target)

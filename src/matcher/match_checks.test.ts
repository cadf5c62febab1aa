/** Checks of a match whose pattern aligns: the re-trace, extra_check, regions, streams. */
import { describe, expect, it } from 'vitest'
import { printGraph, type Node, type TensorMeta } from '../fx'
import { TorchError } from '../trace/types'
import { applyPass, graph, hostOf, tensor, withShapes, type Fixture } from './testing/fixtures'
import { call, layers, reluMul, X } from './testing/relu_mul'
import { PatternRegistry, type MatchEdit, type PatternData } from './index'

describe('the re-trace', () => {
  it('M40: drops the match silently on a RuntimeError', () => {
    const fixture = {
      ...reluMul,
      search: (args: Parameters<Fixture['search']>[0]) => {
        const [x] = args
        if (x?.kind === 'tensor' && x.shape[0] === 4) throw new TorchError('RuntimeError', 'shapes do not fit')
        return reluMul.search(args)
      },
    }
    const { attempts, count, error } = applyPass(withShapes(graph(layers(1))), [fixture])
    expect({ count, error }).toEqual({ count: 0, error: null })
    expect(attempts).toMatchObject([{ ok: true, dropped: 'the re-trace raised RuntimeError: shapes do not fit' }])
  })

  it('M40 M41: ends the pass on any other error, and on an unused argument', () => {
    const unused = {
      ...reluMul,
      argNames: ['x', 'y'],
      search: () => reluMul.search([]).replace(X, `${X}\n%y_1 = placeholder[target=y_1]`),
    }
    expect(applyPass(withShapes(graph(layers(1))), [unused]).error).toEqual({
      pythonType: 'RuntimeError',
      message:
        'Not all inputs to pattern found in match.kwargs. Perhaps one of the inputs is unused? argname=y, ' +
        "flat_argnames=['y'], missing_argnames=['y'], match.kwargs={}",
      unusedArgument: 'y',
    })
  })

  it('M44: is followed by extra_check, which sees the captured arguments', () => {
    const checked = {
      ...reluMul,
      extraCheck: (kwargs: ReadonlyMap<string, unknown>) => String(kwargs.get('x')) === 'x_1',
    }
    const { attempts, count } = applyPass(withShapes(graph(layers(2))), [checked])
    expect(count).toBe(1)
    expect(attempts.find((a) => a.dropped)).toMatchObject({
      node: 'mul_1',
      phase: 'specific',
      dropped: 'extra_check returned False',
    })
  })
})

describe('the check of an initial match', () => {
  const one = () => withShapes(graph(layers(1)))

  it('M39: traces with fresh tensors of the matched metadata, and the requires_grad of the example inputs', () => {
    const seen: unknown[] = []
    const traced: Fixture = {
      ...reluMul,
      search: (args) => {
        seen.push(args[0])
        return reluMul.search(args)
      },
      registration: { exampleInputs: [{ ...tensor(2, 2), requiresGrad: true } as TensorMeta] },
    }
    const g = one()
    g.find('x_1')!.meta.val = { ...tensor(4, 8), dtype: 'bfloat16', storageOffset: 3 } as TensorMeta
    expect(applyPass(g, [traced]).count).toBe(1)
    expect(seen[1]).toEqual({
      kind: 'tensor',
      dtype: 'bfloat16',
      shape: [4, 8],
      stride: [8, 1],
      device: null,
      requiresGrad: true,
    })
    const integers = one()
    integers.find('x_1')!.meta.val = { ...tensor(4, 8), dtype: 'int32' } as TensorMeta
    expect(applyPass(integers, [traced]).attempts).toMatchObject([
      { ok: true, dropped: expect.stringContaining('grad') },
    ])
  })

  it('M42: tries the specific pattern at the first output, regardless of earlier captures', () => {
    const swapped: Fixture = {
      argNames: ['x', 'y'],
      // The re-trace has its inputs in the opposite order.
      search: ([x]) =>
        [
          X,
          '%y_1 = placeholder[target=y_1]',
          call('add', 'aten.add.Tensor', x?.kind === 'tensor' && x.shape[0] === 4 ? '%y_1, %x_1' : '%x_1, %y_1'),
          'return add',
        ].join('\n'),
      replace: () =>
        [X, '%y_1 = placeholder[target=y_1]', call('f', 'my.f.default', '%x_1, %y_1'), 'return f'].join('\n'),
      extraCheck: (kwargs) => String(kwargs.get('x')) === 'b',
    }
    const g = withShapes(
      graph(`%a = placeholder[target=a]
        %b = placeholder[target=b]
        ${call('add', 'aten.add.Tensor', '%a, %b')}
        return add`),
    )
    expect(applyPass(g, [swapped])).toMatchObject({ count: 1, attempts: [{ node: 'add' }, { node: 'add' }] })
    // The replacement receives the captures of the initial match.
    expect(printGraph(g)).toContain('my.f.default](args = (%a, %b)')
  })

  it('M44: accepts any truthy value of an extra_check', () => {
    const answering = (answer: unknown): number => applyPass(one(), [{ ...reluMul, extraCheck: () => answer }]).count
    expect([1, 'yes', null, 0, ''].map(answering)).toEqual([1, 1, 0, 0, 0])
  })
})

describe('dropped matches', () => {
  const between = (line: string) => {
    const lines = layers(1).split('\n')
    lines.splice(2, 0, line)
    return lines.join('\n')
  }

  it('M36: span two mutation regions; operator.setitem and iadd start none', () => {
    const copy = call('copy_', 'aten.copy_.default', '%x_1, %relu_0')
    const iadd = '%iadd = call_function[target=operator.iadd](args = (%x_1, 1), kwargs = {})'
    const mutated = graph(between(copy).replace('%relu_0, 2', '%copy_, 2'))
    const search = () =>
      [
        X,
        call('relu', 'aten.relu.default', '%x_1,'),
        call('copy', 'aten.copy_.default', '%x_1, %relu'),
        call('mul', 'aten.mul.Tensor', '%copy, 2'),
        'return mul',
      ].join('\n')
    const { attempts } = applyPass(withShapes(mutated), [{ ...reluMul, search }])
    expect(attempts).toMatchObject([{ ok: true, dropped: 'the match spans two mutation regions' }])
    expect(applyPass(withShapes(graph(between(iadd))), [reluMul]).count).toBe(1)
  })

  it('M38: span two streams', () => {
    const g = withShapes(graph(layers(1)))
    g.find('relu_0')!.meta.custom = { stream: 1 }
    expect(applyPass(g, [reluMul]).attempts).toMatchObject([{ dropped: 'the match spans two streams or memory pools' }])
  })
})

it('M34: never tries nodes with complex operands', () => {
  const g = withShapes(graph(layers(1)))
  g.find('relu_0')!.meta.val = { kind: 'tensor', dtype: 'complex64', shape: [4], stride: null, device: null }
  expect(applyPass(g, [reluMul]).attempts).toEqual([])
})

it('M4: refuses a second pattern of equal text and graph, unless the graphs differ', () => {
  const g = () => withShapes(graph(layers(1)))
  expect(() => applyPass(g(), [reluMul, reluMul])).toThrow(
    /^Duplicate pattern: relu_default = CallFunction\(aten\.relu/,
  )
  expect(applyPass(g(), [reluMul, { ...reluMul, registration: { skipDuplicates: true } }]).count).toBe(1)
  const other = { ...reluMul, search: () => reluMul.search([]).replace('%relu, 2', '%relu, 3') }
  expect(applyPass(g(), [other, reluMul]).applied).toMatchObject([{ entry: 1 }])
})

describe('a graph pattern', () => {
  const pattern: PatternData = {
    expr: 'CallFunction',
    id: 1,
    fns: ['aten.mul.Tensor'],
    args: [
      {
        pattern: {
          expr: 'CallFunction',
          id: 2,
          fns: ['aten.relu'],
          args: [{ pattern: { expr: 'KeywordArg', id: 3, name: 'x' } }],
          kwargs: [],
          users: 1,
        },
      },
      { value: 2n },
    ],
    kwargs: [],
    users: 1,
  }

  it('M53: edits the graph in its handler, once its extra_check returned True', () => {
    const g = withShapes(graph(layers(2)))
    const handlers: ((match: MatchEdit) => void)[] = [
      (match) => {
        match.outputs[0]!.replaceAllUsesWith(match.kwargs.get('x') as Node)
        match.eraseNodes()
      },
    ]
    const run = (check: unknown) => {
      const host = hostOf({
        trace: () => graph(X),
        extraCheck: () => check,
        handle: (fn, match) => handlers[fn]!(match),
      })
      const registry = new PatternRegistry({ host: () => host, overloadsOf: () => ['aten.relu.default'] })
      registry.newPass(0, null)
      const about = { prepend: false, title: 'f', source: null, bindings: {} }
      registry.registerGraphPattern(0, { pattern, extraCheck: 0, handler: 0, ...about })
      return registry.apply(0, g)
    }
    expect(run(null).error).toEqual({
      pythonType: 'AssertionError',
      message: "Expected bool, got <class 'NoneType'>",
    })
    expect(run(true).count).toBe(2)
    expect([...g.nodes()].map((n) => n.name)).toEqual(['x_1', 'output'])
  })
})

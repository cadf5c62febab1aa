import { beforeAll, expect, it } from 'vitest'
import { Interpreter } from '../../src/engine/run/interpreter'
import { nodeAssets } from '../../src/python/node_assets'
import { matchCase } from '../../src/engine/cases/cases'
import { caseInputOf, REPORTED, scoreOf } from './score'

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

it.each(REPORTED)('$id, $symptom: $truth', (reported) => {
  const { line, ...score } = scoreOf(interpreter, reported)
  const asked = reported.fix === null ? null : true
  const { fails = {} } = reported
  expect(score, line).toEqual({
    loads: true,
    reproduces: !fails.reproduces,
    cause: true,
    fix: fails.fix ? false : asked,
    firesAfter: fails.fix ? null : asked,
  })
})

it('refuses a dtype with the extra_check that the lint writes', () => {
  const input = caseInputOf('vllm-44694')
  const check = 'extra_check=lambda match: match.kwargs["weight"].meta["val"].dtype == torch.bfloat16'
  expect(
    scoreOf(
      interpreter,
      REPORTED.find(({ id }) => id === input.id)!,
    ).line,
  ).toContain(check)
  const guarded = input.pattern_py.replace('fwd_only, patterns)', `fwd_only, patterns, ${check})`)
  expect(matchCase(interpreter, { ...input, pattern_py: guarded }).passes[0]?.count).toBe(0)
})

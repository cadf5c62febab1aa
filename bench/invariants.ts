/**
 * Measures the invariant check of a rewrite relative to the rewrite: the 17 patterns of the recording on the 32-layer
 * graph, with Python warm. Prints check_ms as a share of apply_ms.
 */
import { readFileSync } from 'node:fs'
import { type CaseInput, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import { median, ms } from './stats'

const RUNS = 15

const [line] = readFileSync('conformance/cases/vllm_like32.public.jsonl', 'utf8').split('\n')
const input = JSON.parse(line!) as CaseInput
const interpreter = await Interpreter.start(nodeAssets())
const stats = Array.from({ length: RUNS }, () => matchCase(interpreter, input).stats).slice(3)
const apply = median(stats.map((s) => s.apply_ms))
const check = median(stats.map((s) => s.check_ms))
console.log(`apply  ${ms(apply)}`)
console.log(`check  ${ms(check)}   ${((100 * check) / apply).toFixed(1)} % of apply`)

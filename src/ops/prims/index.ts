/** Registers the prims operators that traces show; those with an aten home are registered beside it. */
import { register } from '../registry'
import { elementwise } from '../aten/elementwise'
import './elementwise'

register('prims.rev', { meta: (c) => elementwise(c, [c.tensor('a')]) })

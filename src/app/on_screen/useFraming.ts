/** The nodes that a canvas brings into view, computed once per selection. */
import { useMemo } from 'react'
import type { Framing } from '../canvas'
import { framingOf } from './canvas_view'
import type { Highlight } from '../report/highlight'
import { isStepHighlight, stepFraming } from './steps/step_highlight'
import { useSteps } from './steps/store'
import { useView } from '../session/view_store'

export function useFraming(side: 'before' | 'after', selected: Highlight): Framing | null {
  const seq = useView((s) => s.seq)
  return useMemo(() => {
    const { selection, from } = useView.getState()
    if (isStepHighlight(selected)) return stepFraming(selected, side, useSteps.getState().opened)
    return framingOf(selection, selected, side, from === side)
    // A new selection moves the canvas once; a new report of the same selection does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seq, side])
}

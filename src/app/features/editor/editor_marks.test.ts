import { describe, expect, it } from 'vitest'
import { firedMarks, markersOf } from './editor_marks'
import { fused, WORKSPACE } from '../../../engine/queries/testing/report_fixture'

describe('the editor’s marks', () => {
  it('sums the registrations of one line', () => {
    expect(firedMarks('patterns.py', WORKSPACE, fused())).toMatchObject([
      { line: 9, text: '●1', patterns: 2, firedPatterns: 1 },
    ])
  })
  it('puts a Python error on the innermost frame in the file', () => {
    const python = {
      type: 'ValueError',
      message: 'no',
      traceback: '',
      frames: [
        { file: 'patterns.py', line: 2 },
        { file: 'patterns.py', line: 7 },
      ],
    }
    expect(markersOf('patterns.py', WORKSPACE, python, [])).toEqual([{ line: 7, column: 1, message: 'ValueError: no' }])
  })
})

/** Promotion as a real 2.14.1 answers: get_higher_dtype, can_cast. */
import { expect, test } from 'vitest'
import { categoryOf, promoteTypes, toReal } from './promote'

test('a dtype that get_higher_dtype does not order is above all others', () => {
  expect(promoteTypes('bits8', 'int64')).toBe('bits8')
  expect(promoteTypes('complex64', 'float8_e4m3fn')).toBe('float8_e4m3fn')
  expect(promoteTypes('int32', 'uint16')).toBe('uint16')
  expect(() => promoteTypes('bits8', 'float8_e4m3fn')).toThrow('Unexpected termination!')
})

test('two dtypes of a level give the next one', () => {
  expect(promoteTypes('uint8', 'int8')).toBe('int16')
  expect(promoteTypes('bfloat16', 'float16')).toBe('float32')
  expect(promoteTypes('bcomplex32', 'complex32')).toBe('complex64')
  expect(promoteTypes('int8', 'int32')).toBe('int32')
})

test('bcomplex32 is complex, and bits cast as integers', () => {
  expect(categoryOf('bcomplex32')).toBe(3)
  expect(toReal('bcomplex32')).toBe('bfloat16')
  expect(categoryOf('bits16')).toBe(1)
})

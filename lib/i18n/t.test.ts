import { expect, expectTypeOf, it } from 'vitest'
import { AppError } from '@/lib/base/app-error'
import {
  asModelMessage,
  makeError,
  makeRefusal,
  makeModelMessage,
  refusalText,
  t,
  textOfKey,
  tIn,
  type KeyOf,
  type NameIn,
} from './t'

it('makes an error from a key and its values, with the text', () => {
  const error = makeError('too-large', 'store.too-many-calls', { most: 3 }, { headId: null })
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'too-large', reason: 'store.too-many-calls', values: { most: 3 }, headId: null })
  expect(error.message).toMatch(/runs at most 3 calls per reply/)
  expect(makeRefusal('client.aborted')).toEqual({ reason: 'client.aborted', values: {}, message: 'Stopped.' })
})

it('keeps the English message for the model, and adds the reader’s', () => {
  const told = makeModelMessage('told.no-tool', { name: 'x' })
  expect(told.message).toBe('There is no tool x.')
  expect(refusalText(told, 'zh-CN')).toMatch(/\p{sc=Han}/u)
  expect(asModelMessage({ ...told, message: refusalText(told, 'zh-CN') }).message).toBe(told.message)
})

it('has no text for a key of another build, whose own message is used', () => {
  expect(textOfKey('store.newer')).toBeNull()
  expect(textOfKey('toString')).toBeNull()
  expect(refusalText({ reason: 'store.newer', values: {}, message: 'As it came.' })).toBe('As it came.')
})

it('accepts the keys and values of the message files', () => {
  expect(tIn('zh-CN', 'card.run')).toBe('运行')
  expectTypeOf<'card.run'>().toExtend<KeyOf<'card'>>()
  expectTypeOf<'run'>().toExtend<NameIn<'card'>>()
  // @ts-expect-error a key that is in no file
  t('card.other')
  // @ts-expect-error its values are missing
  t('card.values')
  // @ts-expect-error values where none belong
  t('card.run', { count: 1 })
  // @ts-expect-error a value of another kind
  t('card.values', { count: 'one' })
  // @ts-expect-error a plain text where others wrote the value
  t('files-explorer.remove', { name: 'a' })
})

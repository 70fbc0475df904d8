import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFrames, textFrame } from './ws-frames.mjs'

const cut = (bytes: Buffer, sizes: readonly number[]): readonly Buffer[] => {
  const parts: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    parts.push(bytes.subarray(at, at + size))
    at += size
  }
  return parts
}

it('reads what it writes, masked or not, however the bytes arrive', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .constantFrom(124, 126, 65_534, 65_536)
      .map((bytes) => bytes / 2)
      .map((length) => 'ü'.repeat(length)),
  )
  fc.assert(
    fc.property(
      fc.array(fc.record({ text, isMasked: fc.boolean() }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 300, max: 40_000 }), { minLength: 1 }),
      (said, sizes) => {
        const frames = said.map(({ text: one, isMasked }) => textFrame(one, { isMasked }))
        const heard: { bytes: Buffer; text: string }[] = []
        const read = readFrames(({ bytes, payload }) => heard.push({ bytes, text: payload.toString() }))
        for (const part of cut(Buffer.concat(frames), sizes)) read(part)
        expect(heard.map((one) => one.text)).toEqual(said.map((one) => Buffer.from(one.text).toString()))
        expect(Buffer.concat(heard.map(({ bytes }) => bytes)).equals(Buffer.concat(frames))).toBe(true)
      },
    ),
    { numRuns: 20 },
  )
})

it('masks client frames with a non-zero mask, because Firefox hangs up otherwise', () => {
  const frame = textFrame('hi', { isMasked: true })
  expect((frame[1] ?? 0) & 0x80).toBe(0x80)
  expect(frame.subarray(2, 6).some((byte) => byte !== 0)).toBe(true)
})

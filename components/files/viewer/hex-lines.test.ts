import { expect, it } from 'vitest'
import { hexLines } from './binary-view'

it('writes sixteen bytes per line, from the given start to the end of the data', () => {
  const data = Uint8Array.from({ length: 40 }, (_, at) => at + 30)
  expect(hexLines(data, 16, 4_096)).toEqual([
    { offset: '00000010', hex: '2e 2f 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d', text: './0123456789:;<=' },
    { offset: '00000020', hex: '3e 3f 40 41 42 43 44 45', text: '>?@ABCDE' },
  ])
  expect(hexLines(data, 0, 3)).toEqual([{ offset: '00000000', hex: '1e 1f 20', text: '.. ' }])
  expect(hexLines(new Uint8Array(), 0, 16)).toEqual([])
})

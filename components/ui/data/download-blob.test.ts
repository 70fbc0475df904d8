import { expect, it } from 'vitest'
import { safeFileName } from './download-blob'

it.each([
  ['/notes/a.md', 'a.md'],
  ['..', 'file'],
  ['../../x.txt', 'x.txt'],
  ['a\\b\\c.txt', 'c.txt'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['a:b?.txt', 'a_b_.txt'],
  ['CON.txt', '_CON.txt'],
  ['name. . ', 'name'],
  ['', 'file'],
  ['.gitignore', '.gitignore'],
  ['发票整理.csv', '发票整理.csv'],
])('%j is saved as %j', (name, saved) => {
  expect(safeFileName(name)).toBe(saved)
})

it('cuts long names at the front, so that the extension stays', () => {
  expect(safeFileName(`${'n'.repeat(300)}.txt`)).toMatch(/^n{116}\.txt$/)
})

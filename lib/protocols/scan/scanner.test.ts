import { describe, expect, it } from 'vitest'
import { createToolIndex } from '../arguments/tool-index'
import type { Dialect } from '../arguments/dialect'
import { createResultFrames } from './outer-end'
import { Scanner } from './scanner'

/** A dialect whose call is `<x …>`: it needs the `>` to decide. Counts how often it reads, and how many characters. */
function countingDialect(certain: boolean) {
  const seen = { looks: 0, units: 0 }
  const dialect: Dialect = {
    id: 'counting',
    triggers: '<',
    fences: [],
    read(source, start) {
      seen.looks++
      seen.units += source.text.length - start
      if (certain) source.certain = { start, name: 'x', until: '>' }
      const end = source.find('>', start)
      return end < 0 ? null : { kind: 'skip', end: end + 1 }
    },
  }
  return { seen, dialect }
}

const scannerOf = (dialect: Dialect) =>
  new Scanner({ dialects: [dialect], tools: createToolIndex([]), frames: createResultFrames([]), explain: () => '' })

const SIZE = 40_000
const TEXT = `Now <x ${'lorem ipsum '.repeat(SIZE / 12)}> and on`

function feed(scanner: Scanner, size: number, lookEvery: number): void {
  let n = 0
  for (let i = 0; i < TEXT.length; i += size) {
    scanner.push(TEXT.slice(i, i + size))
    if (++n % lookEvery === 0) scanner.preview()
  }
  scanner.end()
}

describe('the work of a scanner', () => {
  it('is a single read if no preview is requested, however the text is cut', () => {
    const { seen, dialect } = countingDialect(true)
    feed(scannerOf(dialect), 1, Infinity)
    expect(seen).toEqual({ looks: 1, units: TEXT.length - 4 })
  })

  it.each([
    ['a call that is certain', true, 4],
    ['what may still become one', false, 7],
  ])('stays within a few times the text if a preview is requested at every chunk of %s', (_, certain, times) => {
    const { seen, dialect } = countingDialect(certain)
    feed(scannerOf(dialect), 4, 1)
    expect(seen.looks).toBeGreaterThan(1)
    expect(seen.units).toBeLessThan(times * TEXT.length)
  })

  it('appends to the preview list instead of rebuilding it', () => {
    const { dialect } = countingDialect(true)
    const scanner = scannerOf(dialect)
    scanner.push('one <x y> two <x')
    const shown = scanner.preview()
    expect(shown).toEqual([
      { kind: 'text', start: 0, end: 14 },
      { kind: 'writing', start: 14, end: 16, name: 'x' },
    ])
    scanner.push('> three')
    expect(scanner.preview()).toBe(shown)
    expect(shown).toEqual([{ kind: 'text', start: 0, end: 23 }])
  })
})

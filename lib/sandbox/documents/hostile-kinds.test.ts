import { expect, test } from 'vitest'
import { documentLimits } from '../document'
import { readDocument } from '../read-document'
import { hostileDocuments } from './testing/hostile-documents'
import { createReaderSandbox } from './testing/reader-sandbox'

const sandbox = createReaderSandbox()

test.each(hostileDocuments)(
  'ends $format: $name',
  async ({ format, make, ends }) => {
    const since = performance.now()
    const read = await readDocument(sandbox, { format, data: make() }, new AbortController().signal)
    expect(performance.now() - since).toBeLessThan(documentLimits.totalMs + 10_000)
    if ('error' in ends) {
      expect(read.ok ? read.value.parts : read.error.message).toMatch(ends.error)
      return
    }
    if (!read.ok) throw new Error(read.error.message)
    const text = read.value.parts.map((part) => part.text).join('\n')
    expect(text.length).toBeLessThanOrEqual(documentLimits.characters)
    if ('text' in ends) expect(text).toBe(ends.text)
    else expect(text).toContain(ends.holds)
  },
  60_000,
)

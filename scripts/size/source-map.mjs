// What a built file is made of, by its source map (https://tc39.es/ecma426/): `mappings` is one string, a line of the file
// between `;`, a segment between `,`; a segment is up to five numbers in base 64 VLQ, each the difference to the one before it:
// `IAAM` is 4, 0, 0, 6: column, source, line, column there. Names are not read.

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The numbers of one segment. */
function numbersOf(segment) {
  const numbers = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

/**
 * The segments of a map, in file order: `line` and `column` in the file; `source`, `fromLine` and `fromColumn` of their
 * origin, with `source` null if there is none. All count from 0.
 * @param {string} mappings
 */
export function segmentsOf(mappings) {
  const segments = []
  let [source, fromLine, fromColumn] = [0, 0, 0]
  for (const [line, text] of mappings.split(';').entries()) {
    let column = 0
    for (const segment of text === '' ? [] : text.split(',')) {
      const [columns, sources, lines, columnsThere] = numbersOf(segment)
      column += columns
      if (sources === undefined) {
        segments.push({ line, column, source: null, fromLine: 0, fromColumn: 0 })
        continue
      }
      source += sources
      fromLine += lines
      fromColumn += columnsThere
      segments.push({ line, column, source, fromLine, fromColumn })
    }
  }
  return segments
}

/**
 * A map as one, even if it has sections: `sources` with their texts, and the segments of all.
 * @param {{ mappings?: string, sources?: string[], sourcesContent?: string[], sections?: readonly any[] }} map
 */
export function readMap(map) {
  if (!map.sections) {
    return { sources: map.sources, texts: map.sourcesContent ?? [], segments: segmentsOf(map.mappings) }
  }
  const whole = { sources: [], texts: [], segments: [] }
  for (const { offset, map: part } of map.sections) {
    const { sources, texts, segments } = readMap(part)
    const first = whole.sources.length
    for (const segment of segments) {
      whole.segments.push({
        ...segment,
        line: segment.line + offset.line,
        column: segment.column + (segment.line === 0 ? offset.column : 0),
        source: segment.source === null ? null : segment.source + first,
      })
    }
    whole.sources.push(...sources)
    for (const at of sources.keys()) whole.texts.push(texts[at] ?? '')
  }
  return whole
}

/**
 * How many characters of a file come from each source, `[source, characters]`, largest first; characters without a
 * source are left out.
 * @param {string} code
 * @param {ReturnType<typeof readMap>} map
 */
export function charactersBySource(code, { sources, segments }) {
  const lines = code.split('\n')
  const counted = new Map()
  for (const [at, { line, column, source }] of segments.entries()) {
    if (source === null) continue
    const next = segments[at + 1]
    const end = next?.line === line ? next.column : (lines[line]?.length ?? column)
    counted.set(sources[source], (counted.get(sources[source]) ?? 0) + end - column)
  }
  return [...counted].toSorted(([, a], [, b]) => b - a)
}

import { stripVTControlCharacters } from 'node:util'

const number = /-?\d+(?:[,.]\d+)*/g
const valueOf = (text) => Number(text.replaceAll(',', ''))

/**
 * The figures of a bench's output as `[name, value]`: each named by its line's words and its index in the line, `calls,
 * ms #2`; figures in a table row without words by the row's number, `row 3 #2`.
 */
export function figuresIn(output) {
  const seen = new Map()
  return output.split('\n').flatMap((line) => {
    const plain = stripVTControlCharacters(line)
    const found = plain.match(number) ?? []
    if (found.length === 0) return []
    const name =
      plain
        .replaceAll(number, ' ')
        .replaceAll(/[|\s]+/g, ' ')
        .trim() || 'row'
    const time = (seen.get(name) ?? 0) + 1
    seen.set(name, time)
    const label = time === 1 && name !== 'row' ? name : name === 'row' ? `row ${time}` : `${name} (${time})`
    return found.map((one, at) => [`${label} #${at + 1}`, valueOf(one)])
  })
}

export const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]

import type { CharsNode, Grammar, RefNode } from '../grammar/grammar'

/**
 * The grammar as a RegExp that matches whole texts. Null if that is impossible: for a recursive part, and for prose,
 * whose automaton would be expanded at every step.
 */
export function toRegExp(grammar: Grammar): RegExp | null {
  const source = write(grammar, [])
  return source === null ? null : new RegExp(`^(?:${source})$`, 'u')
}

function write(node: Grammar, inside: readonly RefNode[]): string | null {
  switch (node.kind) {
    case 'lit':
      return Array.from(node.text, (char) => escaped(char)).join('')
    case 'chars':
      return charClass(node)
    case 'seq':
      return all(node.items, inside)?.join('') ?? null
    case 'alt': {
      const items = all(node.items, inside)
      return items && `(?:${items.join('|')})`
    }
    case 'many': {
      const of = write(node.of, inside)
      const { min, max } = node
      if (of === null) return null
      return `(?:${of})${max === Infinity ? (min === 0 ? '*' : `{${min},}`) : `{${min},${max}}`}`
    }
    case 'text':
    case 'note':
      return write(node.of, inside)
    case 'ref':
      return inside.includes(node) ? null : write(node.of(), [...inside, node])
    case 'prose':
      return null
  }
}

function all(items: readonly Grammar[], inside: readonly RefNode[]): readonly string[] | null {
  const written = items.map((item) => write(item, inside))
  return written.every((one) => one !== null) ? written : null
}

const charClass = ({ not, ranges }: CharsNode): string =>
  `[${not ? '^' : ''}${ranges.map(([from, to]) => (from === to ? code(from) : `${code(from)}-${code(to)}`)).join('')}]`

const code = (one: number): string => `\\u{${one.toString(16)}}`

const escaped = (char: string): string => (/[\w ]/.test(char) ? char : code(char.codePointAt(0) ?? 0))

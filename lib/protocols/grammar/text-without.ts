import { chars } from './grammar'
import type { Grammar, TextNode } from './grammar'
import { proseAutomaton } from './prose-automaton'
import type { PatternState } from './prose-automaton'

/**
 * Any text in which none of these words stands, and that does not end in one of `noEnd`. `found` says of a text whether one of
 * them does.
 */
export function textWithout(
  words: readonly (readonly PatternState[])[],
  found: RegExp,
  noEnd: string,
): Grammar & TextNode {
  const modes = {
    text: {
      words: [
        ...words.map((pattern) => ({ pattern, enters: null })),
        ...noEnd.split('').map((char) => ({ pattern: [{ of: chars(char), loop: false }], enters: { mode: char } })),
      ],
    },
    ...Object.fromEntries(
      noEnd
        .split('')
        .map((char) => [char, { ends: false as const, anchored: true as const, words: [], rest: { mode: 'text' } }]),
    ),
  }
  return {
    kind: 'text',
    of: { kind: 'prose', prose: proseAutomaton(modes, { mode: 'text' }, []) },
    min: 0,
    max: Infinity,
    write: (text) => (found.test(text) || noEnd.includes(text.at(-1) ?? ' ') || !text.isWellFormed() ? null : text),
  }
}

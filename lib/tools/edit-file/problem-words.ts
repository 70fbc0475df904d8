import { english } from '@/lib/base/locale'
import type { JsonObject } from '@/lib/base/json'
import { toolSentence } from '@/lib/words/tool-summaries'
import type { EditProblem } from './apply-edits'

const maxNamed = 10

const namedOf = (lines: readonly number[]) => [...new Set(lines)].slice(0, maxNamed)

function placesOf(lines: readonly number[]): string {
  const named = namedOf(lines)
  if (named.length === 1) return `all in line ${named[0] ?? 1}`
  return `at lines ${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}${lines.length > maxNamed ? ' and more' : ''}`
}

const times = (count: number) => (count === 2 ? 'twice' : count >= 20 ? '20 times or more' : `${count} times`)

/** What is wrong, for the model: the edit, the place, and the way out. */
export function problemForModel(problem: EditProblem, count: number, path: string): string {
  const edit = english.plural(count, { one: 'The edit', other: `Edit ${problem.edit} of ${count}` })
  const nothing = 'Nothing was changed.'
  switch (problem.kind) {
    case 'no-change':
      return `${edit} puts the same text in its place, so it changes nothing in ${path}. ${nothing}`
    case 'ambiguous':
      return (
        `${edit} is not clear: its \`search\` occurs ${times(problem.lines.length)} in ${path}, ` +
        `${placesOf(problem.lines)}. Add lines around it, so that it occurs once. ${nothing}`
      )
    case 'not-found': {
      const start = `${edit} does not fit: its \`search\` is not in ${path}`
      if (problem.wasThere) return `${start} any more after the edits before it. ${nothing}`
      if (problem.nearest === null) return `${start}, and nothing like it is. Read the file, then try again. ${nothing}`
      const { line, onlySpaces } = problem.nearest
      const how = onlySpaces ? 'differs in white space only' : 'is the nearest text'
      return `${start}. The text at line ${line} ${how}; copy it exactly from \`nearest\`. ${nothing}`
    }
  }
}

/** What may help beside the sentence. */
export function helpForModel(problem: EditProblem): JsonObject {
  if (problem.kind === 'ambiguous') return { edit: problem.edit, lines: problem.lines }
  if (problem.kind === 'no-change' || problem.wasThere || problem.nearest === null) return { edit: problem.edit }
  const { line, text } = problem.nearest
  return { edit: problem.edit, nearest: { line, text } }
}

/** The same for the user, before Run, in their language. */
export function problemForUser(problem: EditProblem, count: number): string {
  const edit = { of: count, number: problem.edit }
  switch (problem.kind) {
    case 'no-change':
      return toolSentence('tool.no-change', edit)
    case 'ambiguous': {
      const named = namedOf(problem.lines)
      return toolSentence('tool.often', {
        ...edit,
        times: Math.min(problem.lines.length, 20),
        where: named.length === 1 ? 'line' : problem.lines.length > maxNamed ? 'more' : 'lines',
        before: named.slice(0, -1).map(String),
        last: named.at(-1) ?? 1,
      })
    }
    case 'not-found':
      if (problem.wasThere) return toolSentence('tool.gone', edit)
      return toolSentence('tool.not-there', {
        ...edit,
        near: problem.nearest === null ? 'no' : 'yes',
        line: problem.nearest?.line ?? 0,
      })
  }
}

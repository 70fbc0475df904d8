import type { JsonObject } from '@/lib/base/json'
import { makeTold, t, type Told } from '@/lib/i18n/t'
import type { EditProblem } from './apply-edits'

const maxNamed = 10

const namedOf = (lines: readonly number[]) => [...new Set(lines)].slice(0, maxNamed)

/** Where a text stands that occurs more than once. */
function lineageOf(lines: readonly number[]) {
  const named = namedOf(lines)
  return {
    times: Math.min(lines.length, 20),
    where: named.length === 1 ? 'line' : lines.length > maxNamed ? 'more' : 'lines',
    before: named.slice(0, -1).map(String),
    last: named.at(-1) ?? 1,
  }
}

/** What is wrong, for the model: the edit, the place, and the way out. */
export function problemForModel(problem: EditProblem, count: number, path: string): Told {
  const edit = { of: count, edit: problem.edit, path }
  switch (problem.kind) {
    case 'no-change':
      return makeTold('told.edit-same', edit)
    case 'ambiguous':
      return makeTold('told.edit-often', { ...edit, ...lineageOf(problem.lines) })
    case 'not-found': {
      if (problem.wasThere) return makeTold('told.edit-gone', edit)
      if (problem.nearest === null) return makeTold('told.edit-none', edit)
      const { line, onlySpaces } = problem.nearest
      return makeTold('told.edit-near', { ...edit, line, spaces: onlySpaces })
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
      return t('tool.no-change', edit)
    case 'ambiguous':
      return t('tool.often', { ...edit, ...lineageOf(problem.lines) })
    case 'not-found':
      if (problem.wasThere) return t('tool.gone', edit)
      return t('tool.not-there', {
        ...edit,
        near: problem.nearest === null ? 'no' : 'yes',
        line: problem.nearest?.line ?? 0,
      })
  }
}
